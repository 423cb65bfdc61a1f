#include "record/valid_prefix.h"

#include <algorithm>

namespace sluice {

std::string valid_prefix(std::string_view text, std::uint64_t fault) {
  text = text.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(fault, text.size())));
  std::string open;         // closing brackets of what is open, innermost last
  std::string open_at_end;  // the same where the prefix ends
  std::size_t end = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
    if ((c == '}' || c == ']') && !open.empty()) open.pop_back();
    // Behind an opening bracket, in front of a comma and behind a closing one a value is complete.
    if (c == '{' || c == '[' || c == ',' || c == '}' || c == ']') {
      end = c == ',' ? at : at + 1;
      open_at_end = open;
    }
  }
  std::string prefix(text.substr(0, end));
  return prefix.append(open_at_end.rbegin(), open_at_end.rend());
}

}  // namespace sluice
