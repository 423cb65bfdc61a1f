#pragma once

#include <memory_resource>

#include "edit/node.h"

namespace sluice::json {

/// Whether two values are equal as RFC 6902 has it in section 4.6: numbers by their value, strings
/// by their characters, arrays element by element, objects without order; of members of one name
/// the last counts. Throws std::bad_alloc.
/// Cost: the size of `b`, and sorting the names of its objects; no recursion.
bool is_equal(const Slot& a, const Value& b, std::pmr::memory_resource* resource);

}  // namespace sluice::json
