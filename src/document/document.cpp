#include "document/document.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace sluice::json {

namespace {

/// The first of ascending places, from `place` on, that lies behind `offset`. Places are compared
/// 64 at a time, the last of them first: where strings with escapes are next is not foreseen, and
/// bisection asks a branch at each of its steps. Cost: a 64th of a comparison a place and 5 ns.
const std::uint32_t* place_behind(const std::uint32_t* place, const std::uint32_t* end,
                                  std::uint32_t offset) {
  constexpr std::ptrdiff_t kStep = 64;
  while (end - place > kStep && place[kStep - 1] <= offset) place += kStep;
  const std::ptrdiff_t size = std::min(end - place, kStep);
  std::uint32_t before = 0;
  for (std::ptrdiff_t i = 0; i < size; ++i) before += place[i] <= offset ? 1 : 0;
  return place + before;
}

}  // namespace

Result<void> DocumentState::build(std::string_view text) {
  strings.clear();
  index = {};
  const bool convert = decode == Decode::at_once;
  SLUICE_TRY(storage.build(text, options, convert ? Numbers::are_converted : Numbers::stay_text));
  index = storage.view();
  if (decode == Decode::when_asked) return {};
  const Result<void> done = decode_all();
  if (!done) index = {};
  return done;
}

/// Goes from backslash to backslash, which is much faster than from string to string.
Result<void> DocumentState::decode_all() {
  const char* const text = reinterpret_cast<const char*>(index.text);
  const std::uint32_t* const places_end = index.places + index.token_count + 1;
  const std::uint32_t* place = index.places;
  for (std::size_t at = 0; at < index.text_size; at = *place) {
    const void* const found = std::memchr(text + at, '\\', index.text_size - at);
    if (found == nullptr) break;
    const auto backslash = static_cast<std::uint32_t>(static_cast<const char*>(found) - text);
    place = place_behind(place, places_end, backslash);  // the token behind the string
    const Result<std::string_view> string =
        decoded(static_cast<std::uint32_t>(place - index.places) - 1);
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
