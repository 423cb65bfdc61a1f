// Edits: a document, a newline and a patch. What the patch does, a plain tree does, too; a merge
// patch likewise; a patch that fails changes nothing, and what comes out is JSON.

#include <algorithm>
#include <string>
#include <string_view>

#include "document/containers.h"
#include "edit/edited_document.h"
#include "edit/naive_edit.h"
#include "fuzz_support.h"

using namespace sluice;
using namespace sluice::json;

namespace {

bool is_pointer(const Value& value) {
  const Result<std::string_view> text = value.as_string();
  return text && Pointer::parse(*text).has_value();
}

/// Whether an operation has all that the plain tree takes for granted.
bool is_operation(const Value& value) {
  const std::string_view op = value["op"].as_string().value_or("");
  if (!is_pointer(value["path"])) return false;
  if (op == "move" || op == "copy") return is_pointer(value["from"]);
  if (op == "remove") return true;
  return (op == "add" || op == "replace" || op == "test") && value["value"].exists();
}

/// Numbers are compared as they are written there, so `test` may say no where we say yes.
bool depends_on_numbers(const Value& operation) {
  return operation["op"].as_string().value_or("") == "test" &&
         operation["value"].raw().find_first_of("0123456789") != std::string_view::npos;
}

void compare_patch(const Document& document, const Value& patch) {
  EditedDocument edited(document);
  const bool done = edited.apply(patch).has_value();
  const std::string text = *edited.text();
  const Result<Document> again = Document::parse(text, {.scan = {.max_depth = 100'000}});
  expect_consistent(again.has_value(), "what comes out is JSON");
  if (!done) expect_consistent(text == document.root().raw(), "a patch that fails changes nothing");
  NaivePatch naive(plain_of(document.root()));
  bool good = patch.is_array();
  for (const Value operation : patch.elements()) good = good && is_operation(operation);
  for (const Value operation : patch.elements()) {
    if (good && depends_on_numbers(operation)) return;
    good = good && naive.apply(operation);
  }
  expect_consistent(good == done, "the same patches are done");
  if (good) expect_consistent(plain_of(again->root()) == naive.root(), "the same document");
}

/// Members of one name are merged one after the other by us, or kept as they are.
bool has_repeated_names(const Value& value) {
  for (const auto& [name, member] : value.members()) {
    if (value.find(name)->token() != member.token() || has_repeated_names(member)) return true;
  }
  return false;
}

void compare_merge(const Document& document, const Value& patch) {
  EditedDocument edited(document);
  expect_consistent(edited.merge(patch).has_value(), "everything can be merged");
  const Document again = *Document::read(*edited.text());
  if (has_repeated_names(patch)) return;
  const Plain expected = naive_merge(plain_of(document.root()), patch);
  expect_consistent(plain_of(again.root()) == expected, "the same document");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t newline = std::min(input.find('\n'), input.size());
  const std::string text(input.substr(0, newline));
  const std::string patch_text(input.substr(std::min(newline + 1, input.size())));
  // The plain tree recurses.
  const DocumentOptions options = {.scan = {.max_depth = 100}};
  const Result<Document> document = Document::parse(text, options);
  const Result<Document> patch = Document::parse(patch_text, options);
  // Each operation can double what the plain tree holds.
  constexpr std::size_t kOperationsMax = 12;
  if (!document || !patch || patch->root().size() > kOperationsMax) return 0;
  compare_patch(*document, patch->root());
  compare_merge(*document, patch->root());
  return 0;
}
