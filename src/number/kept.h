#pragma once

#include "kernel/numbers.h"

namespace sluice::number {

/// The number that begins at `first`, as the number pass keeps it; else as to_double.
kernel::NumberBits to_kept(const char* first, const char* text_end);

}  // namespace sluice::number
