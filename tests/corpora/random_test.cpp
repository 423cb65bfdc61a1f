// Random texts, good and spoiled: every way gives the verdict of the exact machine, and on good
// ones the fields of the plain selection.

#include <gtest/gtest.h>

#include "expectations.h"
#include "random_json.h"

namespace sluice::json {
namespace {

Selection random_selection(RandomJson& random) {
  std::vector<std::string> pointers;
  for (std::size_t count = random.below(8); count > 0; --count) {
    pointers.push_back(random.pointer());
  }
  return selection_of(pointers);
}

std::string about(int round) { return "round " + std::to_string(round); }

TEST(Random, GoodTextsAreAcceptedAndSelectedEverywhere) {
  RandomJson random(11);
  for (int round = 0, count = rounds(4000); round < count; ++round) {
    const Bytes text = bytes_of(random.document(1 + static_cast<int>(random.below(60)), round % 2));
    const Selection selection = random_selection(random);
    expect_everywhere(text, {}, {}, about(round), selection);
    expect_fields_everywhere(text, selection, about(round));
  }
}

TEST(Random, SpoiledTextsHaveOneFaultEverywhere) {
  RandomJson random(12);
  for (int round = 0, count = rounds(8000); round < count; ++round) {
    const std::string good = random.document(1 + static_cast<int>(random.below(30)), round % 2);
    const Bytes text = random.mutated(good);
    const ScanOptions options{.max_depth = 1 + static_cast<std::uint32_t>(random.below(12)),
                              .pass_surrogates = random.below(2) != 0};
    const Error expected = plain_verdict(text, options);
    expect_everywhere(text, options, expected, about(round), random_selection(random));
  }
}

// Long enough that a checker reads in blocks what it is fed, in pieces.
TEST(Random, TextsOfSomeThousandBytes) {
  RandomJson random(14);
  for (int round = 0, count = rounds(600); round < count; ++round) {
    std::string text = "{\"b\":[";
    const std::size_t size = 1000 + random.below(5000);
    while (text.size() < size) text += random.document(30, round % 2) + ",";
    text += "0]}";
    expect_everywhere(bytes_of(text), {}, {}, about(round));
    const Bytes spoiled = random.mutated(text);
    expect_everywhere(spoiled, {}, plain_verdict(spoiled, {}), about(round));
  }
}

// Wide and long: more than a chunk of 16 KiB, more than 64 KiB.
TEST(Random, LongTextsToo) {
  RandomJson random(13);
  for (int round = 0, count = rounds(12); round < count; ++round) {
    std::string text = "{\"b\":[";
    const std::size_t size = 10'000 << random.below(5);
    while (text.size() < size) text += random.document(40, round % 2) + ",";
    text += "0],\"a\":{\"b\":1}}";
    const Selection selection = selection_of({"/a/b", "/b/2", "/b/1/a", "/b/0", ""});
    expect_everywhere(bytes_of(text), {}, {}, about(round), selection);
    expect_fields_everywhere(bytes_of(text), selection, about(round));
    const Bytes spoiled = random.mutated(text);
    expect_everywhere(spoiled, {}, plain_verdict(spoiled, {}), about(round), selection);
  }
}

}  // namespace
}  // namespace sluice::json
