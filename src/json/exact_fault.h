#pragma once

#include <cstdint>
#include <span>

#include "base/check.h"
#include "json/plain_machine.h"

namespace sluice::json {

/// The error of a text in which the fast passes found some fault. They say only that there is one;
/// a machine that reads byte by byte says which, so there is one place that knows the rules.
inline Error exact_fault(PlainMachine& machine, std::span<const std::uint8_t> text) {
  machine.restart();
  Result<void> verdict = machine.feed(text);
  if (verdict) verdict = machine.finish();
  SLUICE_CHECK(!verdict.has_value());
  return verdict.error();
}

}  // namespace sluice::json
