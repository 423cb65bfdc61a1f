// Documents: borrowed, converted at once and decoded over themselves, they are what a naive tree
// says; the pointer of every value leads to a value; and any error at any place can be explained.

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "document/document.h"
#include "document/explain.h"
#include "document/naive_strings.h"
#include "document/naive_tree.h"
#include "fuzz_support.h"
#include "number/read.h"

using namespace sluice;
using namespace sluice::json;

namespace {

std::string_view view_of(Text text) {
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// Walks a document and the tree of the text it was made of.
class Walk {
 public:
  Walk(std::string_view text, bool surrogates)
      : text_(text), tree_(text), surrogates_(surrogates) {}

  void over(const Document& document) {
    std::vector<std::pair<std::size_t, Value>> rest = {{0, document.root()}};
    while (!rest.empty()) {
      const auto [id, value] = rest.back();
      rest.pop_back();
      const NaiveNode& node = tree_.node(id);
      expect_consistent(value.kind() == static_cast<std::uint8_t>(node.raw[0]), "same kind");
      expect_consistent(value.size() == node.children.size(), "same size");
      expect_consistent(text_.substr(value.offset()).starts_with(node.raw), "same place");
      if (value.is_string()) compare_string(node, value);
      if (value.is_number()) compare_number(node, value);
      auto child = node.children.begin();
      for (const Value element : value.elements()) rest.emplace_back(*child++, element);
      for (const auto& [name, member] : value.members()) {
        const std::size_t which = static_cast<std::size_t>(child - node.children.begin());
        if (!surrogates_) {
          expect_consistent(name == naive_decode(node.keys[which]), "same name");
          expect_consistent(value.find(name).has_value(), "a name that is there is found");
        }
        rest.emplace_back(*child++, member);
      }
      expect_consistent(child == node.children.end(), "all children");
    }
  }

 private:
  void compare_number(const NaiveNode& node, Value value) {
    const char* const first = node.raw.data();
    const char* const end = first + node.raw.size();
    expect_same(number::to_double(first, end), value.as_double());
    expect_same(number::to_int64(first, end), value.as_int64());
    expect_same(number::to_uint64(first, end), value.as_uint64());
  }
  template <class T>
  void expect_same(std::optional<T> expected, const Result<T>& number) {
    expect_consistent(number.has_value() == expected.has_value(), "a number or none");
    expect_consistent(!expected || std::bit_cast<std::uint64_t>(*number) ==
                                       std::bit_cast<std::uint64_t>(*expected),
                      "same number");
  }
  void compare_string(const NaiveNode& node, Value value) {
    const Result<std::string_view> string = value.as_string();
    expect_consistent(string.has_value() || surrogates_, "strings can be had");
    if (surrogates_) return;
    const std::string expected = naive_decode(node.raw.substr(1, node.raw.size() - 2));
    expect_consistent(*string == expected, "same string");
    expect_consistent(*value.as_string() == expected, "same string again");
  }

  std::string_view text_;
  NaiveTree tree_;
  bool surrogates_;
};

void try_pointers(std::string_view text, const Document& document, bool surrogates) {
  for (std::size_t offset = 0; offset < std::min<std::size_t>(text.size(), 200); ++offset) {
    const std::string pointer = pointer_at(text, offset);
    expect_consistent(surrogates || document.at(pointer).exists(), "a pointer leads to a value");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  const std::string text(view_of(input.text));
  const bool surrogates = input.options.pass_surrogates;
  const Result<Document> document = Document::parse(text, {.scan = input.options});
  if (!document) {
    const std::size_t step = 7 + text.size() / 20;
    for (Error error = document.error(); error.offset < text.size() + 2; error.offset += step) {
      expect_consistent(explain(error, text, "f").ends_with("^"), "a place is shown");
    }
    return 0;
  }
  Walk(text, surrogates).over(*document);
  try_pointers(text, *document, surrogates);
  Walk(text, surrogates)
      .over(*Document::parse(text, {.scan = input.options, .decode = Decode::at_once}));
  std::string in_place = text;
  Walk(text, surrogates).over(*Document::parse_in_place(in_place, {.scan = input.options}));
  return 0;
}
