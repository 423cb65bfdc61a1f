#pragma once

#include <memory>
#include <optional>

#include "app/admin.h"
#include "cli/http_pushing.h"
#include "cli/run_plan.h"
#include "config/config.h"

namespace sluice {

/// The admin listener of a run. It pushes nothing, and stays until the run is over.
class AdminPushing final : public Pushing {
 public:
  /// `config` outlives it and has `[admin]`; so does `http`, which is null or started before it.
  AdminPushing(const Config& config, const HttpPushing* http) : config_(config), http_(http) {}

  std::expected<void, UsageError> start(const PushingStage& stage) override;
  void stop() override;
  void reload() override;
  void end() override;

 private:
  AdminView view(const PushingStage& stage) const;

  const Config& config_;
  const HttpPushing* http_;
  std::unique_ptr<http::TlsContext> tls_;
  std::optional<Admin> admin_;
};

}  // namespace sluice
