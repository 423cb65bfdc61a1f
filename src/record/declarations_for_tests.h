#pragma once

#include <string>
#include <utility>
#include <vector>

#include "record/shape.h"

/// Declarations as tests write them.
namespace sluice {

inline FieldDeclaration field(std::string name, FieldType type) {
  FieldDeclaration made;
  made.name = std::move(name);
  made.type = type;
  return made;
}

inline FieldDeclaration optional(FieldDeclaration declaration) {
  declaration.optional = true;
  return declaration;
}

inline FieldDeclaration list(FieldDeclaration declaration) {
  declaration.list = true;
  return declaration;
}

inline FieldDeclaration group(std::string name, std::vector<FieldDeclaration> members) {
  FieldDeclaration made;
  made.name = std::move(name);
  made.is_group = true;
  made.members = std::move(members);
  return made;
}

}  // namespace sluice
