#include "document/decoded_strings.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "document/failing_resource.h"

namespace sluice::json {
namespace {

/// Entry i is a member of an object of its own, {"\tI": "\nIII..."}, so that names and values are
/// far apart and many pages are needed.
std::string text_of(std::size_t count, std::size_t repeats) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) {
    text += i == 0 ? "" : ",";
    text += "{\"\\t" + std::to_string(i) + "\":\"\\n";
    for (std::size_t r = 0; r < repeats; ++r) text += std::to_string(i);
    text += "\"}";
  }
  return text + "]";
}

std::string string_of(std::size_t i, std::size_t repeats) {
  std::string string = "\n";
  for (std::size_t r = 0; r < repeats; ++r) string += std::to_string(i);
  return string;
}

void expect_strings(const Document& document, std::size_t count, std::size_t repeats) {
  // Neither forward nor backward, and each twice.
  for (std::size_t step = 0; step < 2 * count; ++step) {
    const std::size_t i = step * 7919 % count;
    const std::string expected = string_of(i, repeats);
    ASSERT_EQ(*document[i]["\t" + std::to_string(i)].as_string(), expected);
    ASSERT_EQ((*document[i].members().begin()).name, "\t" + std::to_string(i));
  }
}

TEST(DecodedStrings, AnyOrderTwice) {
  const std::string text = text_of(1000, 3);
  const Document document = *Document::parse(text);
  expect_strings(document, 1000, 3);
}

TEST(DecodedStrings, ViewsStayWhileOthersAreDecoded) {
  const std::string text = text_of(3000, 5);
  const Document document = *Document::parse(text);
  std::vector<std::string_view> views;
  for (const Value each : document.root().elements()) {
    views.push_back(*(*each.members().begin()).value.as_string());
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    ASSERT_EQ(views[i], string_of(i, 5));
  }
}

TEST(DecodedStrings, NextTextUsesTheMemoryAgain) {
  FailingResource memory;
  const std::string first = text_of(2000, 40);
  const std::string second = text_of(700, 2);
  Document document = *Document::parse(first, {.memory = &memory});
  expect_strings(document, 2000, 40);
  ASSERT_TRUE(document.parse_again(second));
  const std::size_t requests = memory.requests();
  expect_strings(document, 700, 2);
  EXPECT_EQ(memory.requests(), requests);
}

}  // namespace
}  // namespace sluice::json
