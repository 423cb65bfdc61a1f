#pragma once

#include <string>

namespace sluice {

/// What standard error can show.
class Terminal {
 public:
  /// Whether standard error is a terminal, where a line may be drawn again and again.
  static bool shows_progress();
  /// Whether colours are wanted: a terminal, and no NO_COLOR in the environment.
  static bool shows_colours();
  /// Draws `line` over the last one.
  static void draw_progress(const std::string& line);
  static void clear_progress();
};

}  // namespace sluice
