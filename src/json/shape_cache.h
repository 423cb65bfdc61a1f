#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "json/walker.h"
#include "kernel/shape.h"

namespace sluice::json {

/// The shapes of the last records that looked different. Bounded, whatever the input: about
/// 32 KiB, and 256 bytes for every selected field.
class ShapeCache {
 public:
  /// One record, as the walker left it: its tokens with the newline, its row, its keys.
  struct Sample {
    std::span<const std::uint8_t> tokens;
    const std::uint16_t* places;
    std::uint32_t base;  ///< token i stands at body[base + places[i]], modulo 2^32
    const std::uint8_t* body;
    const std::uint64_t* row;
    std::span<const KeyRange> keys;
  };

  ShapeCache(const PathTree& tree, std::size_t fields);

  /// The shapes as the replay pass looks them up, the last one of a slot first.
  const kernel::Shape* const* by_slot() const { return by_slot_.data(); }
  /// The fields' names, where it may look up members by them; else null.
  const kernel::KeyPiece* names() const { return names_.empty() ? nullptr : names_.data(); }

  /// False where every record was different lately, so that it is not worth while to compare with
  /// all the shapes.
  bool hopeful() const { return curiosity_ >= kCuriosityPrice; }
  /// Says that `rows` records had known shapes.
  void reward(std::uint32_t rows);
  /// True when it is worth while to learn the next record's shape: not so when the last ones that
  /// were learned did not come again, because every record is different.
  bool curious();
  /// Learns a record's shape, if it has one; returns it or null. Shapes that were returned before
  /// mean nothing from then on.
  const kernel::Shape* learn(const Sample& sample);

 private:
  static constexpr std::uint32_t kShapes = 16;
  static constexpr std::uint32_t kKeyPieces = 256;
  static constexpr std::uint32_t kCuriosityMax = 768;
  static constexpr std::uint32_t kCuriosityPrice = 48;

  void add_keys(const Sample& sample, kernel::Shape& shape);
  void add_fields(const Sample& sample, kernel::Shape& shape);
  kernel::Shape& make_room(std::uint32_t pieces);
  void list_by_slot();

  const std::size_t fields_;
  std::uint32_t curiosity_ = kCuriosityMax;
  std::uint32_t shape_count_ = 0;
  std::uint32_t next_ = 0;
  std::uint32_t pieces_used_ = 0;
  std::array<kernel::Shape, kShapes> shapes_;
  std::array<const kernel::Shape*, kernel::kShapeSlots> by_slot_{};
  std::array<kernel::KeyPiece, kKeyPieces> pieces_;
  std::vector<kernel::KeyPiece> names_;
  std::vector<kernel::FieldPlace> places_;  ///< `fields_` for each shape
  std::vector<std::uint64_t> presence_;     ///< presence_words(fields_) for each shape
};

}  // namespace sluice::json
