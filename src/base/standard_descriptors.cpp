#include "base/standard_descriptors.h"

#include <fcntl.h>

#include <array>
#include <cstddef>

namespace sluice {
namespace {

std::array<bool, 3> was_closed{};

}  // namespace

void fill_standard_descriptors() {
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is given, and those below are taken.
    was_closed[static_cast<std::size_t>(descriptor)] = open("/dev/null", O_RDWR) == descriptor;
  }
}

bool standard_was_closed(int descriptor) {
  return was_closed[static_cast<std::size_t>(descriptor)];
}

}  // namespace sluice
