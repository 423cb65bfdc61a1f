#include "json/shape_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::json {
namespace {

using kernel::KeyPiece;
using kernel::Shape;

constexpr std::uint32_t kPieceBytes = sizeof(KeyPiece::bytes);

bool is_structure(std::uint8_t token) {
  switch (token) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
    case '\n':
      return true;
    default:
      return false;
  }
}

/// The token that stands at `position` of the body.
std::uint8_t token_at(const ShapeCache::Sample& sample, std::uint32_t position) {
  const std::uint16_t place = static_cast<std::uint16_t>(position - sample.base);
  const std::uint16_t* end = sample.places + sample.tokens.size();
  return static_cast<std::uint8_t>(std::lower_bound(sample.places, end, place) - sample.places);
}

/// Pieces for the heads of so many keys, those that only make up the number included.
std::uint32_t heads_of(std::size_t keys) {
  constexpr std::uint32_t kStep = kernel::kHeadsAtOnce;
  return (static_cast<std::uint32_t>(keys) + kStep - 1) / kStep * kStep;
}

std::uint32_t pieces_of(std::span<const KeyRange> keys) {
  std::uint32_t count = heads_of(keys.size());
  for (const KeyRange& key : keys) count += (key.size - 1) / kPieceBytes;
  return count;
}

void fill_piece(KeyPiece& piece, std::string_view key) {
  std::memcpy(piece.bytes, key.data(), key.size());
  std::memset(piece.mask, 0xFF, key.size());
}

/// None when they are too many or too long.
std::vector<KeyPiece> pieces_of_names(const std::vector<std::string_view>& names) {
  if (names.size() > kernel::kNamesMax) return {};
  std::vector<KeyPiece> pieces(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > kPieceBytes) return {};
    fill_piece(pieces[i], names[i]);
  }
  return pieces;
}

std::uint32_t slot_of(const Shape& shape) {
  std::uint64_t opens = 0;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(shape.token_count, 64); ++i) {
    const bool open = shape.tokens[i] == '{' || shape.tokens[i] == '[';
    opens |= static_cast<std::uint64_t>(open) << i;
  }
  return kernel::shape_slot(shape.token_count, opens);
}

}  // namespace

ShapeCache::ShapeCache(const PathTree& tree, std::size_t fields)
    : fields_(fields),
      names_(pieces_of_names(tree.flat_names())),
      places_(fields * kShapes),
      presence_(presence_words(fields) * kShapes) {}

void ShapeCache::reward(std::uint32_t rows) {
  curiosity_ = std::min(curiosity_ + rows, kCuriosityMax);
}

bool ShapeCache::curious() {
  if (curiosity_ < kCuriosityPrice) {
    ++curiosity_;
    return false;
  }
  curiosity_ -= kCuriosityPrice;
  return true;
}

const Shape* ShapeCache::learn(const Sample& sample) {
  const std::uint32_t pieces = pieces_of(sample.keys);
  if (sample.tokens.size() > kernel::kShapeTokens || pieces > kKeyPieces) return nullptr;
  Shape& shape = make_room(pieces);
  const std::size_t count = sample.tokens.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t token = sample.tokens[i];
    const bool key = token == '"' && sample.tokens[i + 1] == ':';
    shape.tokens[i] = key || is_structure(token) ? token : kernel::kAnyValue;
  }
  std::fill(shape.tokens + count, shape.tokens + kernel::kShapeTokens, std::uint8_t{0});
  shape.token_count = static_cast<std::uint32_t>(count);
  add_keys(sample, shape);
  add_fields(sample, shape);
  list_by_slot();
  return &shape;
}

/// The next slot in turn; when the keys do not fit, everything is forgotten.
Shape& ShapeCache::make_room(std::uint32_t pieces) {
  if (pieces_used_ + pieces > kKeyPieces) shape_count_ = next_ = pieces_used_ = 0;
  Shape& shape = shapes_[next_];
  shape_count_ = std::max(shape_count_, next_ + 1);
  next_ = (next_ + 1) % kShapes;
  return shape;
}

/// The last one that was learned comes first.
void ShapeCache::list_by_slot() {
  by_slot_.fill(nullptr);
  for (std::uint32_t i = 0; i < shape_count_; ++i) {
    Shape& shape = shapes_[(next_ + i) % shape_count_];
    shape.next = std::exchange(by_slot_[slot_of(shape)], &shape);
  }
}

void ShapeCache::add_keys(const Sample& sample, Shape& shape) {
  shape.keys = pieces_.data() + pieces_used_;
  shape.key_count = static_cast<std::uint32_t>(sample.keys.size());
  shape.head_count = heads_of(shape.key_count);
  const auto add = [&](const KeyRange& key, std::uint32_t offset) {
    KeyPiece& piece = pieces_[pieces_used_++] = {};
    piece.token = token_at(sample, key.start);
    piece.offset = static_cast<std::uint16_t>(offset);
    const std::uint32_t size = std::min(key.size - offset, kPieceBytes);
    fill_piece(piece, {reinterpret_cast<const char*>(sample.body) + key.start + offset, size});
  };
  for (const KeyRange& key : sample.keys) add(key, 0);
  const std::uint32_t heads_end =
      pieces_used_ + shape.head_count - static_cast<std::uint32_t>(sample.keys.size());
  while (pieces_used_ != heads_end) pieces_[pieces_used_++] = {};
  for (const KeyRange& key : sample.keys) {
    for (std::uint32_t offset = kPieceBytes; offset < key.size; offset += kPieceBytes) {
      add(key, offset);
    }
  }
  shape.tail_count = pieces_used_ - heads_end;
}

void ShapeCache::add_fields(const Sample& sample, Shape& shape) {
  const std::size_t slot = static_cast<std::size_t>(&shape - shapes_.data());
  kernel::FieldPlace* places = places_.data() + slot * fields_;
  std::uint64_t* presence = presence_.data() + slot * presence_words(fields_);
  std::copy_n(sample.row + 1, presence_words(fields_), presence);
  shape.presence = presence;
  shape.fields = places;
  for (std::size_t field = 0; field < fields_; ++field) {
    places[field] = {};
    if ((presence[field / 64] >> field % 64 & 1) == 0) continue;
    const std::uint64_t range = sample.row[1 + presence_words(fields_) + field];
    const std::uint8_t first = token_at(sample, range_start(range));
    const bool container = sample.tokens[first] == '{' || sample.tokens[first] == '[';
    const std::uint8_t last =
        container ? token_at(sample, range_start(range) + range_size(range) - 1) : first;
    places[field] = {~std::uint64_t{0}, first, static_cast<std::uint8_t>(last + 1)};
  }
}

}  // namespace sluice::json
