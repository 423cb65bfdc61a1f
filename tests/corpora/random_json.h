#pragma once

#include <random>
#include <string>
#include <vector>

#include "case_files.h"

namespace sluice::json {

/// How many rounds of a random test to do: `usual`, times the environment's SLUICE_SOAK if it is
/// set.
int rounds(int usual);

/// Random valid texts, the same for the same seed. Names come from a handful, some of them in two
/// spellings, so that pointers hit, names repeat and escapes matter.
class RandomJson {
 public:
  explicit RandomJson(unsigned seed) : random_(seed) {}

  /// A text of about that many values; with `newlines`, some of its blanks are line ends.
  std::string document(int values, bool newlines);
  /// A pointer into such texts; it need not hit.
  std::string pointer();
  /// `text` with one to three bytes changed, removed, added or swapped.
  Bytes mutated(std::string_view text);
  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  void append_value(std::string& text, int& budget, int depth);
  void append_object(std::string& text, int& budget, int depth);
  void append_array(std::string& text, int& budget, int depth);
  void append_blanks(std::string& text);
  const char* any_of(const std::vector<const char*>& choices) {
    return choices[below(choices.size())];
  }

  std::mt19937 random_;
  bool newlines_ = false;
};

}  // namespace sluice::json
