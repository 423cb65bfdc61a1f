#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace sluice {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "sluice: internal error at %s:%d: %s does not hold; please report it\n",
               file, line, condition);
  std::abort();
}

}  // namespace sluice
