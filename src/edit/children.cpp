#include "edit/children.h"

#include <array>
#include <iterator>
#include <utility>

#include "document/names.h"

namespace sluice::json {
namespace {

std::string_view body_of(const Value& name) { return name.index().string_body(name.token()); }

/// The children of a run from token `first` on, before token `behind`.
Piece part_of(const Piece& run, std::uint32_t first, std::uint32_t behind, std::uint32_t count) {
  Piece part;
  part.slot.value = run.slot.value.with_token(first);
  part.behind = behind;
  part.count = count;
  return part;
}

/// Puts what stands before and behind a child into the place of its run, `middle` between them.
void split_run(Node& node, const ChildPlace& place, std::uint32_t before_end,
               std::uint32_t after_start, Piece* middle) {
  const Piece run = node.pieces[place.piece];
  const std::uint32_t first = run.slot.value.token();
  std::array<Piece, 3> parts;
  std::size_t count = 0;
  if (before_end > first) parts[count++] = part_of(run, first, before_end, place.skipped);
  const std::uint32_t gone = after_start > place.token ? 1 : 0;
  if (middle != nullptr) parts[count++] = std::move(*middle);
  if (after_start < run.behind) {
    parts[count++] = part_of(run, after_start, run.behind, run.count - place.skipped - gone);
  }
  const auto at = node.pieces.begin() + static_cast<std::ptrdiff_t>(place.piece);
  if (count == 0) {
    node.pieces.erase(at);
    return;
  }
  *at = std::move(parts[0]);
  node.pieces.insert(at + 1, std::make_move_iterator(parts.begin() + 1),
                     std::make_move_iterator(parts.begin() + static_cast<std::ptrdiff_t>(count)));
}

/// Where the member or element begins whose value is at `token`.
std::uint32_t start_of(const Node& node, std::uint32_t token) {
  return node.is_object ? token - 2 : token;
}

}  // namespace

std::optional<ChildPlace> find_member(const Node& object, std::string_view name) {
  for (std::size_t piece = object.pieces.size(); piece-- > 0;) {
    const Piece& at = object.pieces[piece];
    if (!at.is_run()) {
      if (is_name(body_of(at.name), name)) return ChildPlace{piece, 0, 0};
      continue;
    }
    const Value& first = at.slot.value;
    const auto value = find_last_member(first.index(), first.token(), at.behind, name);
    if (value) return ChildPlace{piece, *value, 0};
  }
  return std::nullopt;
}

std::optional<ChildPlace> find_element(const Node& array, std::size_t index) {
  if (index >= array.size) return std::nullopt;
  std::size_t piece = 0;
  while (index >= array.pieces[piece].count) index -= array.pieces[piece++].count;
  const Piece& at = array.pieces[piece];
  if (!at.is_run()) return ChildPlace{piece, 0, 0};
  const Value& first = at.slot.value;
  const auto skipped = static_cast<std::uint32_t>(index);
  const std::uint32_t token =
      skip_elements(first.index(), first.token(), at.behind, at.count, skipped);
  return ChildPlace{piece, token, skipped};
}

std::optional<ChildPlace> find_child(const Node& node, std::string_view reference) {
  if (node.is_object) return find_member(node, reference);
  const std::optional<std::uint32_t> index = index_of(reference);
  return index ? find_element(node, *index) : std::nullopt;
}

Slot child_at(const Node& node, const ChildPlace& place) {
  const Piece& piece = node.pieces[place.piece];
  return piece.is_run() ? Slot{piece.slot.value.with_token(place.token), {}} : piece.slot;
}

Slot& isolate_child(Node& node, const ChildPlace& place) {
  const Piece& piece = node.pieces[place.piece];
  if (!piece.is_run()) return node.pieces[place.piece].slot;
  const Value run = piece.slot.value;
  const std::uint32_t start = start_of(node, place.token);
  Piece child;
  child.slot.value = run.with_token(place.token);
  if (node.is_object) child.name = run.with_token(place.token - 2);
  const std::size_t at = place.piece + (start > run.token() ? 1 : 0);
  split_run(node, place, start - 1, run.index().behind(place.token) + 1, &child);
  return node.pieces[at].slot;
}

void erase_child(Node& node, const ChildPlace& place) {
  const Piece& piece = node.pieces[place.piece];
  --node.size;
  if (!piece.is_run()) {
    node.pieces.erase(node.pieces.begin() + static_cast<std::ptrdiff_t>(place.piece));
    return;
  }
  const std::uint32_t behind = piece.slot.value.index().behind(place.token);
  split_run(node, place, start_of(node, place.token) - 1, behind + 1, nullptr);
}

void append_member(Node& object, const Value& name, Slot slot) {
  Piece member;
  member.name = name;
  member.slot = std::move(slot);
  object.pieces.push_back(std::move(member));
  ++object.size;
}

void insert_element(Node& array, std::size_t index, Slot slot) {
  Piece element;
  element.slot = std::move(slot);
  const std::optional<ChildPlace> place = find_element(array, index);
  ++array.size;
  if (!place) {
    array.pieces.push_back(std::move(element));
  } else if (place->skipped == 0) {
    array.pieces.insert(array.pieces.begin() + static_cast<std::ptrdiff_t>(place->piece),
                        std::move(element));
  } else {
    split_run(array, *place, place->token - 1, place->token, &element);
  }
}

}  // namespace sluice::json
