#pragma once

#include <list>
#include <memory_resource>
#include <string>
#include <string_view>

#include "base/result.h"
#include "document/document.h"
#include "edit/edited_value.h"
#include "edit/tree.h"
#include "json/pointer.h"

namespace sluice::json {

struct Operation;

/// A document with edits over it: JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396). The
/// document stays as it is; a small edit of a big one costs what it touches.
///
///     json::EditedDocument edited(document);
///     SLUICE_TRY(edited.apply(patch.root()));
///     std::int64_t port = *edited.at("/servers/0/port").as_int64();
///     SLUICE_TRY_VALUE(text, edited.text());
///
/// Each call changes all that it says or, on an error, nothing. `explain(error, patch_text)` shows
/// what in the patch went wrong.
/// Lifetime: the document stays; patches may go after the call. Threads: one at a time.
/// Memory: of the resource, about 100 bytes for each container that an edit went through and 50
/// for each value; and a copy of every patch, until this goes.
/// Cost of an operation: the steps to its place, which look at the members before a name, and at
/// the elements before an index when they are no scalars (about a nanosecond each).
class EditedDocument {
 public:
  explicit EditedDocument(const Document& document,
                          std::pmr::memory_resource* memory = std::pmr::get_default_resource());
  explicit EditedDocument(const Document&&, std::pmr::memory_resource* = nullptr) = delete;
  EditedDocument(const EditedDocument&) = delete;
  EditedDocument& operator=(const EditedDocument&) = delete;

  /// Does the operations of a JSON Patch one after the other.
  /// Errors, their offset in the text of the patch: json_type when it is no array; patch_syntax
  /// for what is no operation, before anything is tried; patch_target at the path or `from` that
  /// leads nowhere, or to itself; patch_test at the value that is not the one there; out_of_memory.
  Result<void> apply(const Value& patch);
  /// Merges a JSON Merge Patch: its members replace those of the document, null removes.
  /// A name that is given twice is merged twice. Errors: out_of_memory.
  Result<void> merge(const Value& patch);

  // One operation, the value as JSON text. Errors: pointer_syntax; those of Document::parse, their
  // offset in the value's text; patch_target when there is no such place; out_of_memory.

  /// Puts a value there: a member takes the place of one of its name, an element moves those behind
  /// it, "-" is the end of an array. The member may be new, the object around it may not.
  Result<void> add(std::string_view pointer, std::string_view value);
  /// Puts a value in the place of another.
  Result<void> replace(std::string_view pointer, std::string_view value);
  Result<void> remove(std::string_view pointer);

  EditedValue root() const { return EditedValue(tree_.root()); }
  EditedValue at(std::string_view pointer) const { return root().at(pointer); }
  template <class KeyOrIndex>
  EditedValue operator[](const KeyOrIndex& key) const {
    return root()[key];
  }

  /// Writes the document as it is now: containers that an edit went through without blanks around
  /// what is in them, everything else byte for byte.
  /// Errors of the output: document_limit, when the text would be larger than one can be;
  /// out_of_memory.
  void write(Output& out) const { root().write(out); }
  Result<std::string> text() const { return root().text(); }

 private:
  template <class Change>
  Result<void> all_or_nothing(Change change);
  Result<void> operate(const Operation& operation, const Value& name, const Value& value);
  Result<void> move(const Operation& operation, const Value& name);
  template <class Put>
  Result<void> put(std::string_view pointer, std::string_view value, Put put);
  Result<void> make_readable();
  Result<Value> keep(std::string text, const ScanOptions& options);

  std::pmr::list<Document> sources_;  ///< what edits brought
  Tree tree_;
};

}  // namespace sluice::json
