#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "json/scan.h"

/// Every way into the reader, seen as one function from a document to its first fault.
namespace sluice::json {

using Verdict = std::function<Error(std::span<const std::uint8_t> text, const ScanOptions&)>;

struct EntryPoint {
  std::string name;
  /// Says whether this way can take `text` as one document at all.
  std::function<bool(std::span<const std::uint8_t> text)> takes;
  Verdict verdict;  ///< code none: accepted
};

/// The exact machine over the whole text: what the others must agree with.
Error plain_verdict(std::span<const std::uint8_t> text, const ScanOptions& options);

/// All of them: each class, on each instruction set of this machine, whole and in pieces.
const std::vector<EntryPoint>& entry_points();

/// Fails the current test for each way whose verdict is not `expected`.
void expect_everywhere(std::span<const std::uint8_t> text, const ScanOptions& options,
                       const Error& expected, const std::string& about);

}  // namespace sluice::json
