#include "document/fault_trail.h"

#include <span>

#include "base/check.h"

namespace sluice::json {

FaultTrail::FaultTrail(const ScanOptions& options)
    : options_(options), last_(options.max_depth), sure_(options.max_depth) {}

void FaultTrail::move_to(std::uint64_t offset, const Passes& passes,
                         const kernel::TokenCarry& grammar, std::span<const std::uint8_t> read) {
  inside_scalar_ = passes.carry().in_scalar != 0;
  (inside_scalar_ ? last_ : sure_).move_to(offset, passes, grammar, read);
}

Error FaultTrail::first_fault(std::string_view text) const {
  PlainMachine machine(options_);
  const Boundary* boundary = inside_scalar_ ? &last_ : &sure_;
  std::uint64_t shift = boundary->resume(machine);
  if (inside_scalar_ && !machine.feed({})) {
    boundary = &sure_;
    shift = boundary->resume(machine);
  }
  const std::string_view rest = text.substr(boundary->offset());
  Result<void> verdict =
      machine.feed({reinterpret_cast<const std::uint8_t*>(rest.data()), rest.size()});
  if (verdict) verdict = machine.finish();
  SLUICE_CHECK(!verdict.has_value());
  Error error = verdict.error();
  error.offset += shift;
  return error;
}

}  // namespace sluice::json
