#include "cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace sluice {
namespace {

bool progress_drawn = false;

}  // namespace

bool Terminal::shows_progress() {
  static const bool is_terminal = isatty(STDERR_FILENO) == 1;
  return is_terminal;
}

bool Terminal::shows_colours() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return shows_progress() && (no_colour == nullptr || *no_colour == '\0');
}

void Terminal::draw_progress(const std::string& line) {
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  progress_drawn = true;
}

void Terminal::clear_progress() {
  if (!progress_drawn) return;
  std::fputs("\r\033[K", stderr);
  progress_drawn = false;
}

}  // namespace sluice
