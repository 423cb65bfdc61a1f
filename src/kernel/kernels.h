#pragma once

#include "kernel/kernel.h"

/// The table of each instruction set; whether the machine can run it is asked in kernel.cpp.
///
/// The passes (*_pass.inl) are written once, over a small vocabulary; a kernel's source file
/// defines it in an anonymous namespace, where its instructions are allowed, and includes them:
///
///     Block            64 bytes: load; masks equal, rare, between, controls, odd_escapes,
///                      odd_in_string, non_ascii, unlike; folded; any_non_ascii,
///                      any_odd_in_string; load_some and store where the machine loads the
///                      beginning of a block and no more
///     text_classes, unit_digits, scalar_classes, pair_faults, token_faults
///                      the classes of a block (classes.h);
///                      class_masks.inl and token_masks.inl have them for a Block with the masks
///                      blanks and structure
///     Utf8Check        the sequences over block boundaries: wants, step
///     prefix_xor       parity of the bits up to each
///     gather_bits, scatter_bits        to and from the low end by a mask (leaves of brackets)
///     write_tokens, copy_scalars       Marked bytes to the streams
///     KeyDifference                    keys, up to 32 bytes at a time
///     kPrefetchBytes, kBranchyEscapes, kLeafRounds
namespace sluice::kernel {

extern const Kernel kSwar;
#if defined(__x86_64__)
extern const Kernel kAvx2;
extern const Kernel kAvx512;
#elif defined(__aarch64__)
extern const Kernel kNeon;
#endif

}  // namespace sluice::kernel
