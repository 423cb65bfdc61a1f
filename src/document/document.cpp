#include "document/document.h"

#include <new>
#include <utility>

namespace sluice::json {

Result<void> DocumentState::build(std::string_view text) {
  strings.clear();
  index = {};
  const bool at_once = decode == Decode::at_once;
  SLUICE_TRY(storage.build(text, options, at_once ? Values::at_once : Values::when_asked));
  index = storage.view();
  if (decode == Decode::when_asked) return {};
  const Result<void> done = decode_all();
  if (!done) index = {};
  return done;
}

Result<void> DocumentState::decode_all() {
  for (const std::uint32_t token : storage.strings_with_escapes()) {
    const Result<std::string_view> string = decoded(token);
    if (!string && string.error().code == ErrorCode::out_of_memory) return string.error();
  }
  return {};
}

Result<std::string_view> DocumentState::decoded(std::uint32_t token) {
  const std::string_view body = index.string_body(token);
  const char* const start = reinterpret_cast<const char*>(index.text);
  char* const place = writable == nullptr ? nullptr : writable + (body.data() - start);
  Result<std::string_view> text = strings.get(token, body, place);
  if (!text) text.error().offset = index.places[token];
  return text;
}

void Document::Destroy::operator()(DocumentState* state) const {
  std::pmr::polymorphic_allocator<>(state->resource).delete_object(state);
}

Result<Document::State> Document::make_state(const DocumentOptions& options) {
  try {
    std::pmr::polymorphic_allocator<> allocator(options.memory);
    return State(allocator.new_object<DocumentState>(options.scan, options.decode, options.memory));
  } catch (const std::bad_alloc&) {
    return Error{.code = ErrorCode::out_of_memory};
  }
}

Result<Document> Document::finish(State state, std::string_view text) {
  SLUICE_TRY(state->build(text));
  return Document(std::move(state));
}

Result<Document> Document::parse(std::string_view text, const DocumentOptions& options) {
  SLUICE_TRY_VALUE(state, make_state(options));
  return finish(std::move(state), text);
}

Result<Document> Document::parse_in_place(std::span<char> text, const DocumentOptions& options) {
  SLUICE_TRY_VALUE(state, make_state(options));
  // A string with an unpaired surrogate would be lost half-way.
  if (!options.scan.pass_surrogates) state->writable = text.data();
  return finish(std::move(state), {text.data(), text.size()});
}

Result<Document> Document::read(std::string&& text, const DocumentOptions& options) {
  SLUICE_TRY_VALUE(state, make_state(options));
  state->owned_text = std::move(text);
  const std::string_view owned = state->owned_text;
  return finish(std::move(state), owned);
}

Result<void> Document::parse_again(std::string_view text) {
  if (state_ == nullptr) {
    SLUICE_TRY_VALUE(fresh, make_state({}));
    state_ = std::move(fresh);
  }
  state_->writable = nullptr;
  return state_->build(text);
}

Value Document::root() const {
  const bool empty = state_ == nullptr || state_->index.token_count == 0;
  return empty ? Value() : Value(state_.get(), 0);
}

std::string_view Document::text() const {
  if (state_ == nullptr) return {};
  return {reinterpret_cast<const char*>(state_->index.text), state_->index.text_size};
}

}  // namespace sluice::json
