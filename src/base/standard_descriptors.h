#pragma once

namespace sluice {

/// Puts /dev/null in the place of standard descriptors that the process was started without, so
/// that no file of ours is opened in their place and taken for them. Call it first of all.
void fill_standard_descriptors();

/// Whether the process was started without this one (0, 1 or 2).
bool standard_was_closed(int descriptor);

}  // namespace sluice
