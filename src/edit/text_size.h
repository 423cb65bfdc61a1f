#pragma once

#include <cstdint>

#include "edit/node.h"

namespace sluice::json {

/// Bytes of the JSON text of an edited value; of what would be larger than a text may be, some
/// number that is larger, too. Throws std::bad_alloc.
/// Cost: the pieces of nodes that were changed since it was asked for last, each node once however
/// many share it; no recursion.
std::uint64_t text_size_of(const Slot& slot);

}  // namespace sluice::json
