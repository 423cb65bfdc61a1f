// What the tables under tests/data do not show: states between pieces, limits, beginning anew.
// (Every place and reason of a fault: tests/corpora/fault_table_test.cpp.)

#include "json/plain_machine.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sluice::json {
namespace {

using Place = Checker::Place;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Place place_after(std::string_view text) {
  PlainMachine machine({});
  EXPECT_TRUE(machine.feed(bytes_of(text)).has_value()) << text;
  return machine.place();
}

Error verdict(PlainMachine& machine, std::string_view text) {
  const Result<void> fed = machine.feed(bytes_of(text));
  if (!fed) return fed.error();
  const Result<void> finished = machine.finish();
  return finished ? Error{} : finished.error();
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + "0" + std::string(depth, ']');
}

TEST(PlainMachine, KnowsWhereTheTextEnds) {
  EXPECT_EQ(place_after(""), Place::nothing_yet);
  EXPECT_EQ(place_after(" \n"), Place::nothing_yet);
  EXPECT_EQ(place_after("\"a"), Place::inside_string);
  EXPECT_EQ(place_after("{\"a\\"), Place::inside_string);
  EXPECT_EQ(place_after("[\"\\u12"), Place::inside_string);
  EXPECT_EQ(place_after("\"\xE2\x82"), Place::inside_string);
  EXPECT_EQ(place_after("[\"\\ud800"), Place::inside_string);
  EXPECT_EQ(place_after("tru"), Place::inside_scalar);
  EXPECT_EQ(place_after("[-"), Place::inside_scalar);
  EXPECT_EQ(place_after("12"), Place::inside_scalar);
  EXPECT_EQ(place_after("{"), Place::inside_container);
  EXPECT_EQ(place_after("[1,"), Place::inside_container);
  EXPECT_EQ(place_after("[1 "), Place::inside_container);
  EXPECT_EQ(place_after("{\"a\":[]"), Place::inside_container);
  EXPECT_EQ(place_after("12 "), Place::after_value);
  EXPECT_EQ(place_after("true"), Place::after_value);
  EXPECT_EQ(place_after("{}\n"), Place::after_value);
}

TEST(PlainMachine, RepeatsItsFault) {
  PlainMachine machine({});
  const Error first = machine.feed(bytes_of("[1,]")).error();
  EXPECT_EQ(first.offset, 3u);
  EXPECT_EQ(machine.feed(bytes_of("1]")).error(), first);
  EXPECT_EQ(machine.finish().error(), first);
}

TEST(PlainMachine, BeginsAnew) {
  PlainMachine machine({});
  for (const std::string_view spoiled : {"[[{\"a\":", "\"\\uD800", "\"\xE2", "[1,]", "-"}) {
    EXPECT_NE(verdict(machine, spoiled).code, ErrorCode::none);
    machine.restart();
    EXPECT_EQ(verdict(machine, "[\"\\u0041\"]").code, ErrorCode::none);
    machine.restart();
    EXPECT_EQ(verdict(machine, "[]]").offset, 2u);
    machine.restart();
  }
}

TEST(PlainMachine, TakesExactlyTheDepthItIsGiven) {
  for (const std::uint32_t limit : {1u, 63u, 64u, 65u, 1024u, 100'000u}) {
    PlainMachine machine({.max_depth = limit});
    EXPECT_EQ(verdict(machine, nested(limit - 1)).code, ErrorCode::none) << limit;
    machine.restart();
    EXPECT_EQ(verdict(machine, nested(limit)).code, ErrorCode::none) << limit;
    machine.restart();
    const Error error = verdict(machine, nested(limit + 1));
    EXPECT_EQ(error.code, ErrorCode::json_depth) << limit;
    EXPECT_EQ(error.offset, limit);
  }
}

TEST(PlainMachine, RemembersTheKindOfEveryLevel) {
  std::string open;
  std::string close;
  for (int level = 0; level < 200; ++level) {
    const bool object = level % 3 == 0 || level % 64 == 63;
    open += object ? "{\"k\":" : "[";
    close.insert(0, 1, object ? '}' : ']');
  }
  open += '0';
  PlainMachine machine({});
  EXPECT_EQ(verdict(machine, open + close).code, ErrorCode::none);
  for (std::size_t index = 0; index < close.size(); ++index) {
    std::string crossed = close;
    crossed[index] = close[index] == ']' ? '}' : ']';
    machine.restart();
    EXPECT_EQ(verdict(machine, open + crossed).offset, open.size() + index);
  }
}

// Plain bytes are skipped eight at a time: every byte at every position of two such words.
TEST(PlainMachine, SkipsOnlyPlainBytes) {
  PlainMachine machine({});
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t position = 0; position < 17; ++position) {
      std::string text = "\"aaaaaaaaaaaaaaaaaaaa\"";
      text[1 + position] = static_cast<char>(byte);
      const bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
      machine.restart();
      const Error error = verdict(machine, text);
      EXPECT_EQ(error.code == ErrorCode::none, plain) << byte << " at " << position;
      const std::uint64_t offset = byte == '"' ? position + 2 : position + 1;
      if (!plain) {
        EXPECT_EQ(error.offset, offset) << byte << " at " << position;
      }
    }
  }
}

TEST(PlainMachine, CountsOffsetsOverAllPieces) {
  PlainMachine machine({});
  const std::string piece(10'000, ' ');
  for (int round = 0; round < 100; ++round) EXPECT_TRUE(machine.feed(bytes_of(piece)).has_value());
  EXPECT_EQ(machine.feed(bytes_of("  }")).error().offset, 1'000'002u);
}

}  // namespace
}  // namespace sluice::json
