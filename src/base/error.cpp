#include "base/error.h"

#include <array>
#include <cstddef>

namespace sluice {
namespace {

struct Row {
  const char* name;
  int http_status;
  const char* text;
};

constexpr std::array kRows{
#define SLUICE_ERROR(name, http_status, text) Row{#name, http_status, text},
#include "base/errors.def"
#undef SLUICE_ERROR
};

const Row& row_of(ErrorCode code) { return kRows.at(static_cast<std::size_t>(code)); }

}  // namespace

const char* error_name(ErrorCode code) { return row_of(code).name; }
const char* error_text(ErrorCode code) { return row_of(code).text; }
int error_http_status(ErrorCode code) { return row_of(code).http_status; }

}  // namespace sluice
