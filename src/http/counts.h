#pragma once

#include <array>
#include <cstdint>

namespace sluice::http {

/// What a server did so far.
struct Counts {
  std::uint64_t accepted = 0;                      ///< connections
  std::uint64_t open = 0;                          ///< of them, now
  std::uint64_t turned_away = 0;                   ///< beyond the limit
  std::uint64_t requests = 0;                      ///< answered
  std::array<std::uint64_t, 6> by_status_class{};  ///< 2xx at 2, and so on
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t timeouts = 0;
};

}  // namespace sluice::http
