#include "edit/edited_value.h"

#include <cstdint>
#include <new>
#include <optional>

#include "document/index.h"
#include "edit/children.h"
#include "edit/text_size.h"
#include "edit/written_pieces.h"
#include "json/pointer.h"
#include "writer/write_value.h"

namespace sluice::json {
namespace {

EditedValue child_of(const Slot& parent, const std::optional<ChildPlace>& place) {
  if (!place) return EditedValue({parent.value.absent(ErrorCode::json_missing), {}});
  return EditedValue(child_at(*parent.node.get(), *place));
}

void write_pieces(Output& out, const Slot& slot) {
  const std::uint64_t size = text_size_of(slot);
  if (size > Index::kTextMax) return out.fail(ErrorCode::document_limit, Index::kTextMax);
  out.expect(size);
  WrittenPieces(slot).for_each([&](std::string_view text) {
    out.put(text);
    return !out.failed();
  });
}

}  // namespace

Type EditedValue::type() const {
  if (!slot_.node) return slot_.value.type();
  return slot_.node->is_object ? Type::object : Type::array;
}

std::size_t EditedValue::size() const { return slot_.node ? slot_.node->size : slot_.value.size(); }

EditedValue EditedValue::operator[](std::string_view key) const {
  const bool in_node = slot_.node && slot_.node->is_object;
  if (!in_node) return EditedValue({slot_.value[key], {}});
  return child_of(slot_, find_member(*slot_.node.get(), key));
}

EditedValue EditedValue::operator[](std::size_t index) const {
  const bool in_node = slot_.node && !slot_.node->is_object;
  if (!in_node) return EditedValue({slot_.value[index], {}});
  return child_of(slot_, find_element(*slot_.node.get(), index));
}

EditedValue EditedValue::step(std::string_view reference) const {
  if (!slot_.node) return EditedValue({slot_.value.step(reference), {}});
  return child_of(slot_, find_child(*slot_.node.get(), reference));
}

EditedValue EditedValue::at(std::string_view pointer) const {
  if (!slot_.node) return EditedValue({slot_.value.at(pointer), {}});
  try {
    const Result<Pointer> parsed = Pointer::parse(pointer);
    if (!parsed) return EditedValue({slot_.value.absent(parsed.error().code), {}});
    EditedValue value = *this;
    for (const std::string& reference : parsed->tokens()) value = value.step(reference);
    return value;
  } catch (const std::bad_alloc&) {
    return EditedValue({slot_.value.absent(ErrorCode::out_of_memory), {}});
  }
}

void EditedValue::write(Output& out) const {
  if (!exists()) return out.fail(slot_.value.error());
  if (slot_.value.decodes_in_place()) return write_value(out, slot_.value);
  try {
    write_pieces(out, slot_);
  } catch (const std::bad_alloc&) {
    out.fail(ErrorCode::out_of_memory, out.size());
  }
}

Result<std::string> EditedValue::text() const {
  std::string text;
  StringOutput out(text);
  write(out);
  SLUICE_TRY(out.close());
  return text;
}

}  // namespace sluice::json
