#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"

namespace sluice {

/// A record that is not passed on.
struct RefusedRecord {
  const std::string& input;            ///< its name as given by the user
  std::uint64_t offset = 0;            ///< of the record in the input, bytes
  Error error;                         ///< offset within the record
  std::uint64_t line = 0;              ///< of the fault, 1-based
  std::uint64_t column = 0;            ///< of the fault, 1-based, in bytes
  std::span<const std::uint8_t> text;  ///< the record, or what there is of it around the fault
  std::uint64_t text_base = 0;         ///< bytes of the record in front of `text`
  bool more_follows = false;           ///< the rest comes by `on_more`, in pieces
};

/// Is told of every record that is refused, and of every input that cannot be read.
class Refusals {
 public:
  virtual ~Refusals() = default;
  virtual void on_refused(const RefusedRecord& record) = 0;
  /// The next bytes of a record too large to be held; `last`: it ends with them.
  virtual void on_more(std::span<const std::uint8_t> bytes, bool last) = 0;
  virtual void on_unreadable(const std::string& input, const Error& error) = 0;
  /// Whether the bytes of refused records are wanted to the last.
  virtual bool keeps_bytes() const { return false; }
};

/// Lines and columns of a place in a text.
struct Place {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};
/// Where `offset` of `text` is, when the text begins at `start`.
Place place_in(std::span<const std::uint8_t> text, std::uint64_t offset, const Place& start);

}  // namespace sluice
