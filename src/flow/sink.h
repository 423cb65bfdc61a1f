#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace sluice {

/// What a sink wrote, for the report.
struct SinkDigest {
  std::uint64_t bytes = 0;
  std::uint64_t decoded_bytes = 0;  ///< of them, text made from escaped strings
  std::uint32_t crc32c = 0;
  std::string sha256;  ///< hexadecimal; empty unless asked for
};

/// Takes records from its port and brings them somewhere, without ever blocking the loop on a
/// reader: what cannot go now goes when the loop says so. Acknowledges to the port what has
/// arrived, in order. Reports its own end to the port (`Port::fail`).
class Sink {
 public:
  virtual ~Sink() = default;
  /// Takes and writes what it can; may hold back less than a whole write. True when it got on.
  virtual bool pump() = 0;
  /// As pump, and holds nothing back: somebody waits for the memory, or for the records.
  virtual bool flush() = 0;
  /// Nothing more will come: writes the rest and closes. `ended` tells when that is done, and
  /// reports to the port how it came out.
  virtual void begin_end() = 0;
  virtual bool ended() = 0;
  /// The time for draining is over: gives up what is not written, and whoever reads it.
  virtual void abandon() = 0;
  /// Records taken and not yet written, held back until there are more.
  virtual bool holds_back() const = 0;
  virtual SinkDigest digest() const = 0;
};

}  // namespace sluice
