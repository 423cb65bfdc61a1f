#include "cli/select_list.h"

#include <algorithm>

namespace sluice {
namespace {

/// Replaces `~2` and `~3`; `~0` and `~1` stay for the pointer itself.
std::string without_list_escapes(std::string_view item) {
  std::string text;
  for (std::size_t at = 0; at < item.size(); ++at) {
    const char next = item[at] == '~' && at + 1 < item.size() ? item[at + 1] : '\0';
    if (next == '2' || next == '3') {
      text += next == '2' ? ',' : '>';
      ++at;
    } else if (next == '0' || next == '1') {
      text += item[at++];
      text += next;
    } else {
      text += item[at];
    }
  }
  return text;
}

std::unexpected<UsageError> bad_item(std::string_view item, std::string_view why) {
  return std::unexpected(
      UsageError{"'" + std::string(item) + "' selects nothing: " + std::string(why)});
}

}  // namespace

std::expected<SelectList, UsageError> parse_select(std::string_view text) {
  if (text == "*") return SelectList{.whole = true, .pointers = {}};
  SelectList select;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string_view item = text.substr(start, end - start);
    start = end + 1;
    if (item == "*") return bad_item(text, "'*' is the whole record and stands alone");
    if (item.empty()) {
      return bad_item(text,
                      "a field is a JSON Pointer such as /repo/name, the whole record is '*'");
    }
    const auto pointer = json::Pointer::parse(without_list_escapes(item));
    if (!pointer) {
      return bad_item(item, item.front() == '/'
                                ? "'~' in a JSON Pointer is written ~0, '/' within a name ~1"
                                : "a JSON Pointer begins with '/', as in /repo/name");
    }
    select.pointers.push_back(*pointer);
  }
  return select;
}

std::expected<std::vector<std::string>, UsageError> field_names(
    const SelectList& select, const std::vector<std::string>& as) {
  std::vector<std::string> names = as;
  if (as.empty()) {
    for (const json::Pointer& pointer : select.pointers) names.push_back(pointer.tokens().back());
  } else if (as.size() != select.pointers.size()) {
    if (select.whole)
      return std::unexpected(UsageError{"'*' is the whole record: it takes no names"});
    return std::unexpected(UsageError{"as= gives " + std::to_string(as.size()) + " names for " +
                                      std::to_string(select.pointers.size()) +
                                      " fields: give one each, separated by commas"});
  }
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    return std::unexpected(UsageError{"two fields would both be called '" + *twice +
                                      "': name them with as=first,second (select: --as)"});
  }
  return names;
}

}  // namespace sluice
