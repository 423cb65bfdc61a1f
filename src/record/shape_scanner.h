#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/index.h"
#include "record/field_value.h"
#include "record/query.h"
#include "record/shape.h"
#include "record/shape_fault.h"

namespace sluice {

/// Text that a whole record going out has beside what came: members with values from the query or
/// from defaults, in front of the closing bracket of their group.
struct Insertion {
  std::uint32_t offset = 0;  ///< in the body
  std::string text;
};

/// Reads bodies of one shape: checks all of each, and fills a record, in one pass over its tokens.
/// Members are expected in the order in which they came last time. Keeps its memory from body to
/// body; needs none of the heap for a body like the last. Not thread-safe.
class ShapeScanner {
 public:
  static constexpr std::size_t kMostFaults = 16;

  /// `shape` outlives it. `memory` is for the index of a body's tokens, 9 bytes each: it may refuse
  /// (std::bad_alloc), which is the fault out_of_memory then.
  ShapeScanner(const Shape& shape, const json::ScanOptions& options,
               std::pmr::memory_resource* memory);

  /// Reads one body and the query beside it, "" for none. False when anything is wrong: `faults`
  /// tells what. Nothing behind the body is read.
  bool scan(std::span<const std::uint8_t> body, std::string_view query);

  /// The record read last, in the layout of Shape; ranges count from the body's start.
  std::span<const std::uint64_t> record() const { return words_; }
  /// What is wrong with the body read last, by offset; after a fault of syntax there is nothing.
  std::span<const ShapeFault> faults() const { return faults_; }
  /// What a whole record has beside the body, by offset; empty for most.
  std::span<const Insertion> insertions() const { return insertions_; }
  const Shape& shape() const { return shape_; }
  /// Gives back the memory that a large body made the index take.
  void trim();

 private:
  using Token = std::uint32_t;
  bool read_tokens(std::string_view query);
  Token read_group(std::uint32_t group, Token opener);
  Token read_member(std::uint32_t group, std::size_t member, Token key);
  std::size_t find_member(std::uint32_t group, std::size_t expected, Token key);
  std::size_t look_up(const Shape::Group& group, Token key) const;
  void end_group(std::uint32_t group, Token closer);
  void fill_absent(std::uint32_t group, Token closer, std::string& added);
  void fill_absent_field(std::uint32_t field, Token closer, std::string& added);
  void read_field(std::uint32_t number, Token token);
  /// The number, bool or time that stands there.
  SlotValue slot_at(const Shape::Field& field, Token token) const;
  void read_fixed(const Shape::Field& field, std::uint32_t number, Token token);
  void read_text(const Shape::Field& field, std::uint32_t number, Token token);
  void read_list(const Shape::Field& field, std::uint32_t number, Token token);
  void check_text(const Shape::Field& field, Token token, std::string_view raw, bool escapes);
  void set_range(const Shape::Field& field, std::uint32_t number, std::string_view range,
                 bool escapes);
  void set_present(std::uint32_t number);
  void fail(ErrorCode code, std::uint64_t offset, std::string pointer, std::string detail);
  void fail_field(const Shape::Field& field, ErrorCode code, Token token);
  void fail_syntax(std::span<const std::uint8_t> body, std::string_view query, const Error& error);
  std::string pointer_of(const Shape::Field& field) const;
  std::string decoded(std::string_view raw) const;

  const Shape& shape_;
  json::ScanOptions options_;
  std::pmr::memory_resource* memory_;
  json::Index index_;
  json::IndexView view_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> first_member_;  ///< by group
  std::vector<std::uint32_t> seen_;          ///< by member: the scan in which it came last
  std::vector<std::uint16_t> follower_;      ///< by member: which came behind it last time
  std::uint32_t scan_ = 0;
  std::size_t element_ = ~std::size_t{0};  ///< of the list that is being read
  bool cut_ = false;  ///< the text was cut at a fault: what is missing may have followed
  Query query_;
  std::vector<ShapeFault> faults_;
  std::vector<Insertion> insertions_;
};

}  // namespace sluice
