#pragma once

#include "kernel/kernel.h"

/// The table of each instruction set; whether the machine can run it is asked in kernel.cpp.
namespace sluice::kernel {

extern const Kernel kSwar;
#if defined(__x86_64__)
extern const Kernel kAvx2;
#endif

}  // namespace sluice::kernel
