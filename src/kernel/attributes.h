#pragma once

/// What the sources of kernels say of functions to the compiler.

#define NOINLINE [[gnu::noinline]]
#define ALWAYS_INLINE [[gnu::always_inline]] inline

/// Called seldom out of a loop that is short of registers: it keeps all that the loop has in
/// general ones, so that the loop need not keep them in memory for the sake of a call that it
/// hardly ever makes. (13 % of the text pass with AVX-512. GCC 12 cannot.)
#if defined(__clang__)
#define SELDOM_CALLED [[clang::preserve_most]] NOINLINE
#else
#define SELDOM_CALLED NOINLINE
#endif
