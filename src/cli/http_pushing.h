#pragma once

#include <memory>
#include <optional>

#include "app/service.h"
#include "cli/run_plan.h"
#include "config/config.h"
#include "http/tls_context.h"

namespace sluice {

/// The HTTP part of a configuration in a run: its inputs, and its sources of type http.
class HttpPushing final : public Pushing {
 public:
  /// `config` outlives it and has `[http]`; its feeds are the sources of the run, in order.
  explicit HttpPushing(const Config& config) : config_(config) {}

  std::expected<void, UsageError> start(const PushingStage& stage) override;
  void stop() override;
  void reload() override;
  void end() override;

  /// Null before the start.
  const Service* service() const { return service_ ? &*service_ : nullptr; }

  /// What of the budget it may want beside the records.
  static std::uint64_t reserved_bytes();

 private:
  std::expected<ServiceOptions, UsageError> options(const PushingStage& stage) const;

  const Config& config_;
  std::optional<Buffer> streams_;
  std::unique_ptr<http::TlsContext> tls_;
  std::optional<Service> service_;
};

/// Tells what became of a certificate that was to be read again; `section` as "[http]".
void print_reloaded(const std::string& section,
                    const std::expected<void, http::TlsContext::Problem>& reloaded);

/// The declarations of an input's fields as shapes take them.
std::vector<FieldDeclaration> declarations_of(const std::vector<FieldConfig>& fields);

}  // namespace sluice
