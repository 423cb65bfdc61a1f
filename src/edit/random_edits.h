#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <random>
#include <string>

#include "edit/naive_edit.h"

namespace sluice::json {

/// For tests: documents, patches and merge patches that often fit each other.
class RandomEdits {
 public:
  explicit RandomEdits(unsigned seed, bool unique_names = false)
      : random_(seed), unique_names_(unique_names) {}

  std::string value(int depth) {
    const std::size_t kind = below(depth > 0 ? 8 : 4);
    if (kind == 0) return std::to_string(below(5));
    if (kind == 1) return any_of({"\"\"", "\"text\"", "\"\\u00e9\\n\"", "true"});
    if (kind == 2) return any_of({"null", "1.5", "-7", "{}", "[]"});
    if (kind == 3) return any_of({"[1,2,3,4]", "{\"a\":1, \"b\":{} }", "[{},{}]"});
    return kind % 2 == 0 ? array(depth) : object(depth);
  }

  std::string array(int depth) {
    std::string text = "[";
    for (std::size_t left = below(7); left > 0; --left) {
      text += value(depth - 1) + blanks();
      if (left > 1) text += "," + blanks();
    }
    return text + "]";
  }

  std::string object(int depth) {
    std::string text = "{";
    for (std::size_t left = below(7), number = 0; left > 0; --left, ++number) {
      text += blanks() + name(number) + ":" + blanks() + value(depth - 1);
      if (left > 1) text += ",";
    }
    return text + blanks() + "}";
  }

  /// A patch of some operations for a document that begins as `root`.
  std::string patch(const Plain& root) {
    std::string text = "[";
    for (std::size_t left = 1 + below(3); left > 0; --left) {
      const std::string op = any_of({"add", "add", "remove", "replace", "move", "copy", "test"});
      text += R"({"op":")" + op + R"(","from":)" + pointer(root) + R"(,"path":)" + pointer(root);
      const bool as_it_is = op == "test" && pointed_ != nullptr && below(6) != 0;
      text += R"(,"value":)" + (as_it_is ? text_of(*pointed_) : value(2)) + "}";
      if (left > 1) text += ",";
    }
    return text + "]";
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  std::string any_of(std::initializer_list<const char*> choices) {
    return *(choices.begin() + below(choices.size()));
  }
  std::string blanks() { return any_of({"", "", "", " ", "\n  "}); }
  /// As JSON; some mean the same, but not those of different numbers when names are unique.
  std::string name(std::size_t number) {
    switch (unique_names_ ? number : below(7)) {
      case 0:
        return any_of({"\"a\"", "\"\\u0061\""});
      case 1:
        return any_of({"\"b\"", "\"\\u0062\""});
      case 2:
        return "\"x/y\"";
      case 3:
        return any_of({"\"~\"", "\"\\u007e\""});
      case 4:
        return "\"0\"";
      case 5:
        return any_of({"\"q\\\"\"", "\"\\u0071\\u0022\""});
      default:
        return any_of({"\"\\u00e9\"", "\"\u00e9\""});
    }
  }

  /// A JSON string with a JSON Pointer, most often to something that is there.
  std::string pointer(const Plain& root) {
    std::string text;
    pointed_ = &root;
    while (below(4) != 0) {
      if (pointed_->kind == 'a' && !pointed_->elements.empty()) {
        const std::size_t index = below(pointed_->elements.size());
        text += "/" + std::to_string(index);
        pointed_ = &pointed_->elements[index];
      } else if (pointed_->kind == 'o' && !pointed_->members.empty()) {
        const auto member = std::next(pointed_->members.begin(), below(pointed_->members.size()));
        text += "/" + escaped(member->first);
        pointed_ = &member->second;
      } else {
        break;
      }
    }
    if (below(4) != 0) return '"' + text + '"';
    pointed_ = nullptr;
    return '"' + text +
           any_of({"/-", "/a", "/new", "/0", "/1", "/00", "/~1", "/q\\\"", "/\\u00e9"}) + '"';
  }

  static std::string escaped(const std::string& name) {
    std::string text;
    for (const char byte : name) {
      text += byte == '~' ? "~0" : byte == '/' ? "~1" : byte == '"' ? "\\\"" : std::string(1, byte);
    }
    return text;
  }

  static std::string text_of(const Plain& plain) {
    std::string text;
    if (plain.kind == 'a') {
      for (const Plain& each : plain.elements) text += "," + text_of(each);
      return "[" + text.substr(text.empty() ? 0 : 1) + "]";
    }
    if (plain.kind == 'o') {
      for (const auto& [name, member] : plain.members) {
        text += "," + quoted(name) + ":" + text_of(member);
      }
      return "{" + text.substr(text.empty() ? 0 : 1) + "}";
    }
    return plain.scalar[0] == '"' ? quoted(plain.scalar.substr(1)) : plain.scalar;
  }
  static std::string quoted(const std::string& string) {
    std::string text = "\"";
    for (const char byte : string) {
      text += byte == '"' ? "\\\"" : byte == '\n' ? "\\n" : std::string(1, byte);
    }
    return text + '"';
  }

  std::mt19937 random_;
  bool unique_names_;
  const Plain* pointed_ = nullptr;  ///< what the last pointer leads to
};

}  // namespace sluice::json
