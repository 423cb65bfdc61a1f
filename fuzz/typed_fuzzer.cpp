// Structs read from any text: the checks of the text come first and are those of the exact machine;
// what was read is written and read again, the same; views into the text stay inside it.

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <variant>

#include "fuzz_support.h"
#include "typed/read.h"
#include "typed/write.h"

using namespace sluice;
using namespace sluice::json;

namespace {

enum class Colour { red, green, blue };

struct Leaf {
  std::optional<std::int8_t> a;
  std::optional<double> b;
  std::optional<std::string> c;
  std::vector<Leaf> d;
  bool operator==(const Leaf&) const = default;
};

struct Everything {
  std::optional<bool> flag;
  std::optional<std::int64_t> i;
  std::optional<std::uint64_t> u;
  std::optional<float> f;
  std::optional<Colour> colour;
  std::vector<Leaf> leaves;
  std::map<std::string, Leaf> map;
  std::set<std::string> set;
  std::optional<std::pair<int, std::string>> pair;
  std::variant<std::monostate, bool, double, std::string, Leaf, std::vector<int>> any;
  bool operator==(const Everything&) const = default;
};

struct Views {
  std::optional<std::string_view> c;
  std::optional<RawJson> d;
  std::vector<std::string_view> e;
};

ReadOptions options_of(const FuzzInput& input) {
  const bool strict = input.selection.size() % 2 != 0;
  return {.scan = input.options,
          .unknown = strict ? Unknown::refuse : Unknown::ignore,
          .missing = Missing::keep,
          .duplicates = strict ? Duplicates::refuse : Duplicates::last_wins};
}

void try_round_trip(std::string_view text, const FuzzInput& input) {
  const Result<Everything> value = read<Everything>(text, options_of(input));
  const Error verdict = plain_verdict(input.text, input.options);
  if (verdict.code != ErrorCode::none && (value || value.error() != verdict)) {
    fail("another fault than that of the text", input.text);
  }
  if (!value) return;
  const Result<std::string> written = write(*value);
  if (!written) fail("what was read cannot be written", input.text);
  const Result<Everything> again = read<Everything>(*written);
  if (!again || *again != *value) fail("what was written reads otherwise: " + *written, input.text);
}

void check_view(std::string_view view, std::string_view text, const FuzzInput& input) {
  if (view.data() < text.data() || view.data() + view.size() > text.data() + text.size()) {
    fail("a view outside of the text", input.text);
  }
}

void try_views(std::string text, const FuzzInput& input) {
  Views views;
  Reader reader(options_of(input));
  if (!reader.read_in_place(std::span(text), views)) return;
  if (views.c) check_view(*views.c, text, input);
  if (views.d) check_view(views.d->text, text, input);
  for (const std::string_view view : views.e) check_view(view, text, input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FuzzInput input(data, size);
  // Of exactly its size, so that a read behind its end is seen.
  const auto copy = std::make_unique<char[]>(input.text.size());
  std::memcpy(copy.get(), input.text.data(), input.text.size());
  const std::string_view text(copy.get(), input.text.size());
  try_round_trip(text, input);
  try_views(std::string(text), input);
  return 0;
}
