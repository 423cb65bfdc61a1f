#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/field_type.h"

namespace sluice {

/// One field, or one group of fields, as it is declared. Values are JSON text, so that integers are
/// exact: `min = "-5"`, `default_value = "\"EUR\""`; empty: none.
struct FieldDeclaration {
  std::string name;
  bool is_group = false;
  std::vector<FieldDeclaration> members;  ///< of a group

  FieldType type = FieldType::text;
  bool list = false;      ///< an array of values of the type
  bool optional = false;  ///< may be absent or null
  std::string min;        ///< of numbers and times
  std::string max;
  std::optional<std::uint64_t> max_bytes;  ///< of text, decoded, and of json as it stands
  std::optional<std::uint64_t> max_items;  ///< of a list
  std::vector<std::string> choices;        ///< of text and numbers: one of these
  std::string default_value;               ///< of what has a fixed size or is text
};

/// What is wrong with a declaration.
struct ShapeError {
  std::string path;     ///< of the field, with dots
  std::string key;      ///< what of it: "name", "min", "default", ...
  std::string message;  ///< and what to do
};

/// What is done with members that are not declared.
enum class UnknownMembers : std::uint8_t { refuse, ignore };

/// The declared fields of an input, checked and laid out. A record of the shape is an array of
/// 64-bit words:
///
///     slots       one for each field of fixed size that is no list; groups flattened depth first,
///                 in the order of declaration: integers, f64 and f32 as their bits, time in ns,
///                 bool 0 or 1
///     presence    ceil(fields / 64): bit f of all is set when field f has a value
///     table       start (low half) and size (high half) for each text, json or list field: a range
///                 of the body, or behind its end of the side area. The size's top two bits: 0
///                 plain, 1 raw with escapes, 2 decoded in the side area, 3 decoded over itself
class Shape {
 public:
  static constexpr std::size_t kMostFields = 1024;
  static constexpr std::size_t kMostDepth = 32;

  struct Field {
    std::string name;
    std::string path;     ///< with dots: "to.zip"
    std::string pointer;  ///< "/to/zip"
    FieldType type = FieldType::text;
    bool list = false;
    bool optional = false;
    std::uint32_t place = 0;           ///< its slot, or its entry in the table
    std::optional<std::uint64_t> min;  ///< as in a slot
    std::optional<std::uint64_t> max;
    std::uint64_t max_bytes = ~std::uint64_t{0};
    std::uint64_t max_items = ~std::uint64_t{0};
    std::vector<std::uint64_t> number_choices;
    std::vector<std::string> text_choices;
    std::string default_json;                   ///< empty: none
    std::optional<std::uint64_t> default_slot;  ///< of a fixed size

    bool is_fixed() const { return is_fixed_size(type) && !list; }
    bool is_required() const { return !optional && default_json.empty(); }
    bool is_plain_number() const { return !min && !max && number_choices.empty(); }
  };
  /// A member of a group: a field or a group by its number.
  struct Member {
    std::string quoted;  ///< its name between quotes, as a body without escapes has it
    std::uint32_t number = 0;
    bool is_group = false;
    std::string_view name() const { return {quoted.data() + 1, quoted.size() - 2}; }
  };
  struct Group {
    std::string pointer;  ///< "" for the record itself
    std::uint32_t parent = 0;
    std::vector<Member> members;
    bool has_required = false;           ///< a field in it, however deep, must be there
    std::vector<std::uint16_t> by_name;  ///< the members, sorted by their names

    /// The member with that name; nothing when there is none. Cost: of a binary search.
    std::optional<std::size_t> find(std::string_view name) const;
  };

  static std::expected<Shape, ShapeError> make(const std::vector<FieldDeclaration>& fields,
                                               UnknownMembers unknown = UnknownMembers::refuse);

  const std::vector<Field>& fields() const { return fields_; }
  /// Group 0 is the record itself.
  const std::vector<Group>& groups() const { return groups_; }
  UnknownMembers unknown() const { return unknown_; }
  /// The field with that path, e.g. "to.zip".
  std::optional<std::uint32_t> field_at(std::string_view path) const;
  std::size_t depth() const { return depth_; }

  std::size_t slots() const { return slots_; }
  std::size_t presence_at() const { return slots_; }
  std::size_t table_at() const { return slots_ + (fields_.size() + 63) / 64; }
  /// Words of a record.
  std::size_t words() const { return table_at() + table_; }

 private:
  struct Builder;

  std::vector<Field> fields_;
  std::vector<Group> groups_;
  UnknownMembers unknown_ = UnknownMembers::refuse;
  std::size_t slots_ = 0;
  std::size_t table_ = 0;
  std::size_t depth_ = 1;
};

}  // namespace sluice
