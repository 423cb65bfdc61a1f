#include "edit/edited_document.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "edit/equal.h"
#include "edit/patch.h"
#include "writer/write_string.h"
#include "writer/write_value.h"

namespace sluice::json {
namespace {

/// For text that was checked before.
constexpr ScanOptions kGood = {.max_depth = ~std::uint32_t{0}, .pass_surrogates = true};

Error target_error(const Value& pointer) {
  return {.code = ErrorCode::patch_target, .offset = pointer.offset()};
}

/// An array of the patch and, for each operation, the name that it may bring, or null: so that
/// names are strings of a document, too.
Result<std::string> with_names(const Value& patch, const std::vector<Operation>& operations) {
  std::string text;
  StringOutput out(text);
  out.put("[");
  write_value(out, patch);
  for (const Operation& operation : operations) {
    out.put(",");
    if (operation.brings_name() && !operation.path.tokens().empty()) {
      write_string(out, operation.path.tokens().back());
    } else {
      out.put("null");
    }
  }
  out.put("]");
  SLUICE_TRY(out.close());
  return text;
}

}  // namespace

EditedDocument::EditedDocument(const Document& document, std::pmr::memory_resource* memory)
    : sources_(memory), tree_(document.root(), memory) {}

/// The tree before the change is kept beside it, and shares with it what was not touched.
template <class Change>
Result<void> EditedDocument::all_or_nothing(Change change) {
  const Slot before = tree_.root();
  const std::size_t sources = sources_.size();
  Result<void> done;
  try {
    done = change();
  } catch (const std::bad_alloc&) {
    done = Error{.code = ErrorCode::out_of_memory};
  }
  if (done) return done;
  tree_.set_root(before);
  while (sources_.size() > sources) sources_.pop_back();
  return done;
}

/// Takes over a text; its root.
Result<Value> EditedDocument::keep(std::string text, const ScanOptions& options) {
  SLUICE_TRY_VALUE(document,
                   Document::read(std::move(text), {.scan = options, .memory = tree_.resource()}));
  return sources_.emplace_back(std::move(document)).root();
}

/// A document whose strings are decoded over themselves has no text to take pieces of.
Result<void> EditedDocument::make_readable() {
  const Slot& root = tree_.root();
  if (root.node || !root.value.exists() || !root.value.decodes_in_place()) return {};
  SLUICE_TRY_VALUE(text, json::write(root.value));
  SLUICE_TRY_VALUE(copy, keep(std::move(text), kGood));
  tree_.set_root({copy, {}});
  return {};
}

Result<void> EditedDocument::apply(const Value& patch) {
  return all_or_nothing([&]() -> Result<void> {
    SLUICE_TRY_VALUE(operations, read_operations(patch));
    SLUICE_TRY(make_readable());
    SLUICE_TRY_VALUE(text, with_names(patch, operations));
    SLUICE_TRY_VALUE(kept, keep(std::move(text), kGood));
    // The copy has the tokens of the patch, behind the bracket in front of it.
    const std::uint32_t first = kept.token() + 1;
    std::uint32_t name = kept.index().behind(first) + 1;
    for (const Operation& operation : operations) {
      const std::uint32_t value = operation.value.token() - patch.token() + first;
      SLUICE_TRY(operate(operation, kept.with_token(name), kept.with_token(value)));
      name += 2;
    }
    return {};
  });
}

Result<void> EditedDocument::operate(const Operation& operation, const Value& name,
                                     const Value& value) {
  const Tree::Steps path = operation.path.tokens();
  Slot found;
  bool there = false;
  switch (operation.kind) {
    case Operation::Kind::add:
      there = tree_.add(path, name, {value, {}});
      break;
    case Operation::Kind::remove:
      there = tree_.remove(path);
      break;
    case Operation::Kind::replace:
      there = tree_.replace(path, {value, {}});
      break;
    case Operation::Kind::move:
      return move(operation, name);
    case Operation::Kind::copy:
      if (!tree_.find(operation.from.tokens(), found)) return target_error(operation.from_value);
      there = tree_.add(path, name, std::move(found));
      break;
    case Operation::Kind::test:
      there = tree_.find(path, found);
      if (there && !is_equal(found, value, tree_.resource())) {
        return Error{.code = ErrorCode::patch_test, .offset = operation.value.offset()};
      }
      break;
  }
  if (!there) return target_error(operation.path_value);
  return {};
}

/// Nothing can be moved into itself; to where it is, it can.
Result<void> EditedDocument::move(const Operation& operation, const Value& name) {
  const Tree::Steps from = operation.from.tokens();
  const Tree::Steps path = operation.path.tokens();
  Slot moved;
  if (!tree_.find(from, moved)) return target_error(operation.from_value);
  const bool inside =
      path.size() >= from.size() && std::equal(from.begin(), from.end(), path.begin());
  if (inside && path.size() == from.size()) return {};
  const bool done = !inside && tree_.remove(from) && tree_.add(path, name, std::move(moved));
  if (!done) return target_error(operation.path_value);
  return {};
}

template <class Put>
Result<void> EditedDocument::put(std::string_view pointer, std::string_view value, Put put) {
  return all_or_nothing([&]() -> Result<void> {
    SLUICE_TRY_VALUE(place, Pointer::parse(pointer));
    SLUICE_TRY(make_readable());
    SLUICE_TRY_VALUE(kept, keep(std::string(value), ScanOptions{}));
    if (!put(place, kept)) return Error{.code = ErrorCode::patch_target};
    return {};
  });
}

Result<void> EditedDocument::add(std::string_view pointer, std::string_view value) {
  return all_or_nothing([&]() -> Result<void> {
    std::string name_text;
    StringOutput out(name_text);
    SLUICE_TRY_VALUE(place, Pointer::parse(pointer));
    write_string(out, place.tokens().empty() ? std::string_view() : place.tokens().back());
    SLUICE_TRY(out.close());
    SLUICE_TRY_VALUE(name, keep(std::move(name_text), kGood));
    return put(pointer, value, [&](const Pointer& at, const Value& kept) {
      return tree_.add(at.tokens(), name, {kept, {}});
    });
  });
}

Result<void> EditedDocument::replace(std::string_view pointer, std::string_view value) {
  return put(pointer, value, [&](const Pointer& at, const Value& kept) {
    return tree_.replace(at.tokens(), {kept, {}});
  });
}

Result<void> EditedDocument::remove(std::string_view pointer) {
  return all_or_nothing([&]() -> Result<void> {
    SLUICE_TRY_VALUE(place, Pointer::parse(pointer));
    SLUICE_TRY(make_readable());
    if (!tree_.remove(place.tokens())) return Error{.code = ErrorCode::patch_target};
    return {};
  });
}

Result<void> EditedDocument::merge(const Value& patch) {
  return all_or_nothing([&]() -> Result<void> {
    SLUICE_TRY(make_readable());
    SLUICE_TRY_VALUE(text, json::write(patch));
    SLUICE_TRY_VALUE(kept, keep(std::move(text), kGood));
    tree_.merge(kept);
    return {};
  });
}

}  // namespace sluice::json
