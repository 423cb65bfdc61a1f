#pragma once

#include <cstddef>
#include <tuple>

namespace sluice::json {

/// Members that a struct may have: the language cannot bind a number of names that is not written
/// out, so each number has its line below.
inline constexpr std::size_t kMembersMax = 64;

// clang-format off
#define SLUICE_TIE(count, ...)           \
  else if constexpr (kCount == (count)) { \
    auto& [__VA_ARGS__] = value;         \
    return std::tie(__VA_ARGS__);        \
  }

/// The members of an aggregate of `kCount` members, as a tuple of references.
template <std::size_t kCount, class T>
constexpr auto tie_members(T& value) {
  static_assert(kCount <= kMembersMax, "a struct may have 64 members: put some into a struct");
  if constexpr (kCount == 0) { return std::tuple<>(); }
  SLUICE_TIE(1, a1)
  SLUICE_TIE(2, a1, a2)
  SLUICE_TIE(3, a1, a2, a3)
  SLUICE_TIE(4, a1, a2, a3, a4)
  SLUICE_TIE(5, a1, a2, a3, a4, a5)
  SLUICE_TIE(6, a1, a2, a3, a4, a5, a6)
  SLUICE_TIE(7, a1, a2, a3, a4, a5, a6, a7)
  SLUICE_TIE(8, a1, a2, a3, a4, a5, a6, a7, a8)
  SLUICE_TIE(9, a1, a2, a3, a4, a5, a6, a7, a8, b1)
  SLUICE_TIE(10, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2)
  SLUICE_TIE(11, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3)
  SLUICE_TIE(12, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4)
  SLUICE_TIE(13, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5)
  SLUICE_TIE(14, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6)
  SLUICE_TIE(15, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7)
  SLUICE_TIE(16, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8)
  SLUICE_TIE(17, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1)
  SLUICE_TIE(18, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2)
  SLUICE_TIE(19, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3)
  SLUICE_TIE(20, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4)
  SLUICE_TIE(21, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5)
  SLUICE_TIE(22, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6)
  SLUICE_TIE(23, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7)
  SLUICE_TIE(24, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8)
  SLUICE_TIE(25, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1)
  SLUICE_TIE(26, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2)
  SLUICE_TIE(27, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3)
  SLUICE_TIE(28, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4)
  SLUICE_TIE(29, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5)
  SLUICE_TIE(30, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6)
  SLUICE_TIE(31, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7)
  SLUICE_TIE(32, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8)
  SLUICE_TIE(33, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1)
  SLUICE_TIE(34, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2)
  SLUICE_TIE(35, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3)
  SLUICE_TIE(36, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4)
  SLUICE_TIE(37, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5)
  SLUICE_TIE(38, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6)
  SLUICE_TIE(39, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7)
  SLUICE_TIE(40, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8)
  SLUICE_TIE(41, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1)
  SLUICE_TIE(42, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2)
  SLUICE_TIE(43, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3)
  SLUICE_TIE(44, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4)
  SLUICE_TIE(45, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5)
  SLUICE_TIE(46, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6)
  SLUICE_TIE(47, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7)
  SLUICE_TIE(48, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8)
  SLUICE_TIE(49, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1)
  SLUICE_TIE(50, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2)
  SLUICE_TIE(51, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3)
  SLUICE_TIE(52, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4)
  SLUICE_TIE(53, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5)
  SLUICE_TIE(54, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6)
  SLUICE_TIE(55, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7)
  SLUICE_TIE(56, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8)
  SLUICE_TIE(57, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1)
  SLUICE_TIE(58, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2)
  SLUICE_TIE(59, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3)
  SLUICE_TIE(60, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3, h4)
  SLUICE_TIE(61, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3, h4, h5)
  SLUICE_TIE(62, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3, h4, h5, h6)
  SLUICE_TIE(63, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3, h4, h5, h6,
             h7)
  SLUICE_TIE(64, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4,
             c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, f1,
             f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3, h4, h5, h6,
             h7, h8)
}

#undef SLUICE_TIE
// clang-format on

}  // namespace sluice::json
