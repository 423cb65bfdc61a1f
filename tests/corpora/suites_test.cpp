// Public sets of good and bad texts, the verdict in the file name.

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "expectations.h"

namespace sluice::json {
namespace {

/// For texts of which only the verdict is known: that, and the same fault everywhere.
void expect_verdict(Text text, bool accepted, const std::string& about) {
  const Error error = plain_verdict(text, {});
  EXPECT_EQ(error.code == ErrorCode::none, accepted) << about << ": " << shown(error);
  expect_everywhere(text, {}, error, about);
}

/// Verdicts by file name, from the table in docs/json-choices.md.
std::map<std::string, std::string> documented_choices() {
  std::ifstream page(std::filesystem::path(SLUICE_SOURCE_DIR) / "docs/json-choices.md");
  std::map<std::string, std::string> verdicts;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `i_")) continue;
    const std::size_t name_end = line.find('`', 3);
    const std::size_t verdict = line.find("| ", name_end) + 2;
    verdicts[line.substr(3, name_end - 3)] =
        line.substr(verdict, line.find(' ', verdict) - verdict);
  }
  return verdicts;
}

TEST(JsonTestSuite, EveryVerdictIsAsItsNameSays) {
  int count = 0;
  for (const auto& path : json_files(data_directory() / "jsontestsuite")) {
    const std::string name = path.filename().string();
    if (name.starts_with("i_")) continue;
    expect_verdict(read_file(path), name.starts_with("y_"), name);
    ++count;
  }
  EXPECT_EQ(count, 186);
}

TEST(JsonTestSuite, ChoicesAreTheDocumentedOnes) {
  const std::map<std::string, std::string> documented = documented_choices();
  std::map<std::string, std::string> chosen;
  for (const auto& path : json_files(data_directory() / "jsontestsuite")) {
    const std::string name = path.filename().string();
    if (!name.starts_with("i_")) continue;
    const Bytes text = read_file(path);
    const Error error = plain_verdict(text, {});
    chosen[name] = error.code == ErrorCode::none ? "accepted" : "refused";
    expect_everywhere(text, {}, error, name);
  }
  EXPECT_EQ(chosen, documented);
}

// n_structure_100000_opening_arrays and n_structure_open_array_object, made here for their size.
TEST(JsonTestSuite, DeepNestingIsRefusedAtTheLimit) {
  const Error at_limit = {.code = ErrorCode::json_depth, .offset = 1024};
  expect_everywhere(Bytes(100'000, '['), {}, at_limit, "opening arrays");
  std::string pairs;
  for (int pair = 0; pair < 50'000; ++pair) pairs += "[{\"\":";
  // 512 pairs are 1,024 levels; each is five bytes.
  const Error behind_pairs = {.code = ErrorCode::json_depth, .offset = 512 * 5};
  expect_everywhere(bytes_of(pairs + "\n"), {}, behind_pairs, "open array object");
}

TEST(JsonChecker, EveryVerdictIsAsItsNameSays) {
  int count = 0;
  for (const auto& path : json_files(data_directory() / "jsonchecker")) {
    const std::string name = path.filename().string();
    // Two of the failures are none under RFC 8259: a scalar at the top, 20 levels.
    const bool accepted = name.starts_with("pass") || name.ends_with("_EXCLUDE.json");
    expect_verdict(read_file(path), accepted, name);
    ++count;
  }
  EXPECT_EQ(count, 36);
}

TEST(RoundTrip, EveryTextIsAcceptedAndFoundWhole) {
  const Selection selection = selection_of({"", "/0", "/a"});
  for (const auto& path : json_files(data_directory() / "roundtrip")) {
    const Bytes text = read_file(path);
    expect_verdict(text, true, path.filename().string());
    expect_fields_everywhere(text, selection, path.filename().string());
  }
}

TEST(AdversarialBytes, GetOneAnswerFromEveryWay) {
  const auto directory = shared_directory() / "adversarial-bytes";
  if (!std::filesystem::exists(directory)) {
    GTEST_SKIP() << "the set has no licence of its own and is not shipped";
  }
  for (const auto& path : json_files(directory)) {
    const Bytes text = read_file(path);
    expect_everywhere(text, {}, plain_verdict(text, {}), path.filename().string());
  }
}

TEST(BigDocuments, AreAcceptedEverywhere) {
  const auto directory = shared_directory() / "large-documents";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << "the big documents are not here";
  for (const auto& path : json_files(directory)) {
    expect_verdict(read_file(path), true, path.filename().string());
  }
}

TEST(BigDocuments, FaultsDeepInsideAreFoundEverywhere) {
  const auto directory = shared_directory() / "large-documents";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << "the big documents are not here";
  for (const auto& path : json_files(directory)) {
    Bytes text = read_file(path);
    for (const std::size_t part : {2, 3, 5, 7}) {
      const std::size_t place = text.size() - text.size() / part;
      const std::uint8_t kept = std::exchange(text[place], std::uint8_t{0x01});
      expect_everywhere(text, {}, plain_verdict(text, {}), path.filename().string());
      text[place] = kept;
    }
  }
}

}  // namespace
}  // namespace sluice::json
