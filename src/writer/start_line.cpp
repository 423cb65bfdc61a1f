#include "writer/start_line.h"

#include <algorithm>
#include <cstring>

namespace sluice::json {

void start_line(Output& out, std::uint64_t blanks) {
  constexpr std::size_t kPiece = 64;
  out.put("\n");
  while (blanks != 0) {
    char* const at = out.room(kPiece);
    if (at == nullptr) return;
    std::memset(at, ' ', kPiece);
    const std::uint64_t count = std::min<std::uint64_t>(blanks, kPiece);
    out.commit(at + count);
    blanks -= count;
  }
}

}  // namespace sluice::json
