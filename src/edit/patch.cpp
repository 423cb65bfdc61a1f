#include "edit/patch.h"

#include <array>
#include <new>

#include "document/containers.h"

namespace sluice::json {
namespace {

Error syntax_at(const Value& value) {
  return {.code = ErrorCode::patch_syntax, .offset = value.offset()};
}

Result<Operation::Kind> kind_of(const Value& op) {
  constexpr std::array<std::string_view, 6> kNames = {"add",  "remove", "replace",
                                                      "move", "copy",   "test"};
  SLUICE_TRY_VALUE(name, op.as_string());
  for (std::size_t kind = 0; kind < kNames.size(); ++kind) {
    if (kNames[kind] == name) return static_cast<Operation::Kind>(kind);
  }
  return syntax_at(op);
}

Result<Pointer> pointer_of(const Value& path) {
  SLUICE_TRY_VALUE(text, path.as_string());
  return Pointer::parse(text);
}

/// Whatever was wrong with a value of the patch, but for memory, is its syntax.
Error as_syntax(const Error& error, const Value& value) {
  if (error.code == ErrorCode::out_of_memory) throw std::bad_alloc();
  return syntax_at(value);
}

Result<Operation> read_operation(const Value& text) {
  Operation operation;
  const Value op = text["op"];
  const Result<Operation::Kind> kind = kind_of(op);
  if (!kind) return as_syntax(kind.error(), op);
  operation.kind = *kind;

  operation.path_value = text["path"];
  Result<Pointer> path = pointer_of(operation.path_value);
  if (!path) return as_syntax(path.error(), operation.path_value);
  operation.path = std::move(*path);

  using enum Operation::Kind;
  if (*kind == move || *kind == copy) {
    operation.from_value = text["from"];
    Result<Pointer> from = pointer_of(operation.from_value);
    if (!from) return as_syntax(from.error(), operation.from_value);
    operation.from = std::move(*from);
  }
  if (*kind == add || *kind == replace || *kind == test) {
    operation.value = text["value"];
    if (!operation.value.exists()) return syntax_at(text);
  }
  return operation;
}

}  // namespace

Result<std::vector<Operation>> read_operations(const Value& patch) {
  SLUICE_TRY_VALUE(elements, patch.as_array());
  std::vector<Operation> operations;
  operations.reserve(elements.size());
  for (const Value element : elements) {
    SLUICE_TRY_VALUE(operation, read_operation(element));
    operations.push_back(std::move(operation));
  }
  return operations;
}

}  // namespace sluice::json
