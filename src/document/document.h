#pragma once

#include <concepts>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "document/containers.h"
#include "document/document_state.h"
#include "document/value.h"

namespace sluice::json {

struct DocumentOptions {
  ScanOptions scan = {};
  Decode decode = Decode::when_asked;
  /// All memory of the document comes from here, but for a text it owns.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// One JSON text, all of it checked, to be read in any order. Making it costs the check and an
/// index of the tokens; numbers and strings are converted when they are asked for, or all of them
/// before, which is faster where all are wanted (Decode).
///
///     auto document = json::Document::parse(text);
///     if (!document) return complain(json::explain(document.error(), text));
///     for (json::Value status : (*document)["statuses"].elements()) {
///       SLUICE_TRY_VALUE(name, status["user"]["screen_name"].as_string());
///       ...
///     }
///
/// Lifetime: values and the views they give are valid as long as the document (moving it does not
/// matter) and its text. Threads: one at a time, because strings with escapes are decoded when
/// they are first asked for; any number with Decode::at_once.
/// One that was moved from is empty: its root is absent.
/// Memory: 9 bytes a token, 13 with Decode::at_once, and up to as much to spare (index.h); and the
/// decoded strings.
class Document {
 public:
  /// Borrows `text`, which needs no padding and must stay as it is.
  /// Errors: the first fault (json_syntax, json_utf8, json_depth), document_limit, out_of_memory.
  static Result<Document> parse(std::string_view text, const DocumentOptions& options = {});
  /// A string that is about to go cannot be borrowed: `read` takes it over.
  template <class Text>
    requires std::same_as<Text, std::string>
  static Result<Document> parse(Text&& text, const DocumentOptions& options = {}) = delete;
  /// As parse, but strings are decoded over themselves, so that they need no memory. The text is
  /// no JSON any more then.
  static Result<Document> parse_in_place(std::span<char> text, const DocumentOptions& options = {});
  /// As parse; owns the text.
  static Result<Document> read(std::string&& text, const DocumentOptions& options = {});

  /// Reads another text into the same memory; it is borrowed. All values of the one before become
  /// invalid. Errors: as parse; the document is empty then, its root absent. One that was moved
  /// from starts anew, with default options.
  Result<void> parse_again(std::string_view text);

  /// The value of the whole text.
  Value root() const;
  /// As those of the root.
  template <class KeyOrIndex>
  Value operator[](const KeyOrIndex& key) const {
    return root()[key];
  }
  Value at(std::string_view pointer) const { return root().at(pointer); }

  /// The text as it was given; but for strings that parse_in_place has decoded over themselves.
  std::string_view text() const;

 private:
  struct Destroy {
    void operator()(DocumentState* state) const;
  };
  using State = std::unique_ptr<DocumentState, Destroy>;

  explicit Document(State state) : state_(std::move(state)) {}
  static Result<State> make_state(const DocumentOptions& options);
  static Result<Document> finish(State state, std::string_view text);

  State state_;
};

}  // namespace sluice::json
