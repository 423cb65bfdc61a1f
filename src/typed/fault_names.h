#pragma once

#include "document/explain.h"
#include "typed/read_state.h"

namespace sluice::json {

/// The names that make a fault of typed reading plain: of a missing member the one that is missing
/// and the key in its object that is nearly it; of an unknown member the one of the struct.
FaultNames names_of_fault(const ReadState& state);

}  // namespace sluice::json
