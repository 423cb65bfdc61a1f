#pragma once

#include <array>

#include "kernel/streams.h"

/// Tables of the UTF-8 check by three lookups (J. Keiser, D. Lemire, "Validating UTF-8 in less than
/// one instruction per byte", 2021): each fault shows in the two halves of a byte and the high half
/// of the next; a table for each of the three gives the faults that half allows, and what all three
/// allow is there. Only the third and fourth byte of a sequence must be looked for apart.
namespace sluice::kernel::utf8 {

using Table = std::array<u8, 16>;

enum : u8 {
  kTooShort = 1,  // a lead byte or ASCII where a continuation is due
  kTooLong = 2,   // a continuation behind ASCII
  kOverlong3 = 4,
  kTooLarge = 8,
  kSurrogate = 16,
  kOverlong2 = 32,
  kTooLarge1000 = 64,  // shares its bit with kOverlong4: no byte allows both
  kOverlong4 = 64,
  kTwoContinuations = 128,
  kCarry = kTooShort | kTooLong | kTwoContinuations,
};
inline constexpr u8 kLarge = kCarry | kTooLarge | kTooLarge1000;
inline constexpr Table kFirstHigh = {kTooLong,
                                     kTooLong,
                                     kTooLong,
                                     kTooLong,
                                     kTooLong,
                                     kTooLong,
                                     kTooLong,
                                     kTooLong,
                                     kTwoContinuations,
                                     kTwoContinuations,
                                     kTwoContinuations,
                                     kTwoContinuations,
                                     kTooShort | kOverlong2,
                                     kTooShort,
                                     kTooShort | kOverlong3 | kSurrogate,
                                     kTooShort | kTooLarge | kTooLarge1000 | kOverlong4};
inline constexpr Table kFirstLow = {kCarry | kOverlong3 | kOverlong2 | kOverlong4,
                                    kCarry | kOverlong2,
                                    kCarry,
                                    kCarry,
                                    kCarry | kTooLarge,
                                    kLarge,
                                    kLarge,
                                    kLarge,
                                    kLarge,
                                    kLarge,
                                    kLarge,
                                    kLarge,
                                    kLarge,
                                    kLarge | kSurrogate,
                                    kLarge,
                                    kLarge};
inline constexpr u8 kContinuation = kTooLong | kOverlong2 | kTwoContinuations;
inline constexpr Table kSecondHigh = {kTooShort,
                                      kTooShort,
                                      kTooShort,
                                      kTooShort,
                                      kTooShort,
                                      kTooShort,
                                      kTooShort,
                                      kTooShort,
                                      kContinuation | kOverlong3 | kTooLarge1000 | kOverlong4,
                                      kContinuation | kOverlong3 | kTooLarge,
                                      kContinuation | kSurrogate | kTooLarge,
                                      kContinuation | kSurrogate | kTooLarge,
                                      kTooShort,
                                      kTooShort,
                                      kTooShort,
                                      kTooShort};

}  // namespace sluice::kernel::utf8
