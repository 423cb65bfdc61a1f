#include "document/fault_trail.h"

#include <vector>

#include "base/check.h"
#include "json/fault_search.h"

namespace sluice::json {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

FaultTrail::FaultTrail(const ScanOptions& options)
    : options_(options), last_(options.max_depth), sure_(options.max_depth) {}

void FaultTrail::move_to(std::uint64_t offset, const Passes& passes,
                         const kernel::TokenCarry& grammar, std::span<const std::uint8_t> read) {
  inside_scalar_ = passes.carry().in_scalar != 0;
  (inside_scalar_ ? last_ : sure_).move_to(offset, passes, grammar, read);
}

Error FaultTrail::first_fault(std::string_view text, std::uint32_t likely) {
  PlainMachine machine(options_);
  if (inside_scalar_) {
    last_.resume(machine);
    inside_scalar_ = machine.feed({}).has_value();
    if (!inside_scalar_) likely = 0;
  }
  Boundary& boundary = inside_scalar_ ? last_ : sure_;
  approach(boundary, text.substr(boundary.offset()), likely, machine);
  const std::uint64_t shift = boundary.resume(machine);
  Result<void> verdict = machine.feed(bytes_of(text.substr(boundary.offset())));
  if (verdict) verdict = machine.finish();
  SLUICE_CHECK(!verdict.has_value());
  Error error = verdict.error();
  error.offset += shift;
  return error;
}

void FaultTrail::approach(Boundary& boundary, std::string_view rest, std::uint32_t likely,
                          PlainMachine& machine) const {
  alignas(64) std::byte streams[kStreamBytes];
  Passes passes(kernel::active(), options_, kernel::TokenForm::bare, streams);
  std::vector<std::uint64_t> spill(kernel::TokenCarry::spill_words(options_.max_depth));
  kernel::TokenCarry grammar;
  grammar.spill = spill.data();
  grammar.depth_max = options_.max_depth;
  FaultSearch{passes, grammar, machine}.approach(boundary, bytes_of(rest), likely);
}

}  // namespace sluice::json
