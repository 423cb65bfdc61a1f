#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"

namespace sluice {

/// A record that is not passed on.
struct RefusedRecord {
  const std::string& input;                 ///< its name as given by the user
  std::uint64_t line = 0;                   ///< 1-based; of the record's first byte
  std::uint64_t offset = 0;                 ///< of the record in the input, bytes
  Error error;                              ///< offset within the record
  std::span<const std::uint8_t> text;       ///< the record, or what has been read of it
  bool more_follows = false;                ///< the rest comes by `on_more`, in pieces
};

/// Is told of every record that is refused, and of every input that cannot be read.
class Refusals {
 public:
  virtual ~Refusals() = default;
  virtual void on_refused(const RefusedRecord& record) = 0;
  /// The next bytes of a record too large to be held; `last`: it ends with them.
  virtual void on_more(std::span<const std::uint8_t> bytes, bool last) = 0;
  virtual void on_unreadable(const std::string& input, const Error& error) = 0;
};

}  // namespace sluice
