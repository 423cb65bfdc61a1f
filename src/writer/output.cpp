#include "writer/output.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "base/check.h"

namespace sluice::json {

void Output::fail(ErrorCode code, std::uint64_t offset) { fail(Error{code, 0, 0, offset}); }

void Output::fail(const Error& error) {
  if (!failed()) error_ = error;
  end_ = at_;
}

Result<void> Output::close() {
  finish();
  if (failed()) return error_;
  return {};
}

void Output::put_long(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t count = std::min(piece.size(), kRoomMax);
    char* const at = room(count);
    if (at == nullptr) return;
    std::memcpy(at, piece.data(), count);
    commit(at + count);
    piece.remove_prefix(count);
  }
}

void Output::continue_at(char* start, char* end, std::uint64_t passed) {
  start_ = start;
  at_ = start;
  end_ = failed() ? start : end;
  passed_ = passed;
}

StringOutput::StringOutput(std::string& text) : text_(text), size_before_(text.size()) {
  resize(text_.capacity());
}

StringOutput::~StringOutput() {
  if (!closed_) text_.resize(size_before_);
}

/// Keeps what was written; the rest of the string's bytes are not set.
void StringOutput::resize(std::size_t size) {
  const std::uint64_t written = this->size();
  text_.resize_and_overwrite(size, [](char*, std::size_t count) { return count; });
  continue_at(text_.data() + size_before_, text_.data() + size, 0);
  commit(text_.data() + size_before_ + written);
}

bool StringOutput::make_room(std::size_t size) {
  constexpr std::size_t kSizeMin = 256;
  if (failed()) return false;
  const std::size_t needed = size_before_ + this->size() + size;
  try {
    resize(std::max({needed, text_.size() * 2, kSizeMin}));
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::out_of_memory, this->size());
  } catch (const std::length_error&) {
    fail(ErrorCode::out_of_memory, this->size());
  }
  return !failed();
}

void StringOutput::put_long(std::string_view piece) {
  if (make_room(piece.size())) put(piece);
}

void StringOutput::finish() {
  closed_ = true;
  text_.resize(size_before_ + (failed() ? 0 : this->size()));
  continue_at(text_.data() + size_before_, text_.data() + size_before_, 0);
}

SpanOutput::SpanOutput(std::span<char> memory) : memory_(memory) {
  continue_at(memory.data(), memory.data() + memory.size(), 0);
}

/// Moves what is pending to its place; false when there is no room.
bool SpanOutput::settle() {
  const std::string_view piece = pending();
  const std::size_t count = std::min(piece.size(), memory_.size() - used_);
  if (in_scratch_ && count != 0) std::memcpy(memory_.data() + used_, piece.data(), count);
  used_ += count;
  continue_at(memory_.data() + used_, memory_.data() + memory_.size(), used_);
  in_scratch_ = false;
  if (count < piece.size()) fail(ErrorCode::output_full, used_);
  return !failed();
}

bool SpanOutput::make_room(std::size_t size) {
  SLUICE_CHECK(size <= kRoomMax);
  if (failed() || !settle()) return false;
  if (memory_.size() - used_ >= size) return true;
  continue_at(scratch_.data(), scratch_.data() + scratch_.size(), used_);
  in_scratch_ = true;
  return true;
}

void SpanOutput::finish() {
  settle();
  continue_at(memory_.data() + used_, memory_.data() + used_, used_);
}

SinkOutput::SinkOutput(PieceSink& sink) : sink_(sink) {
  continue_at(buffer_.data(), buffer_.data() + buffer_.size(), 0);
}

bool SinkOutput::hand_over(std::string_view piece) {
  if (failed()) return false;
  if (piece.empty()) return true;
  if (const Result<void> taken = sink_.take(piece); !taken) fail(taken.error());
  return !failed();
}

bool SinkOutput::make_room(std::size_t size) {
  SLUICE_CHECK(size <= kRoomMax);
  const std::uint64_t written = this->size();
  if (!hand_over(pending())) return false;
  continue_at(buffer_.data(), buffer_.data() + buffer_.size(), written);
  return true;
}

void SinkOutput::put_long(std::string_view piece) {
  if (piece.size() < buffer_.size()) return Output::put_long(piece);
  if (!make_room(0) || !hand_over(piece)) return;
  continue_at(buffer_.data(), buffer_.data() + buffer_.size(), size() + piece.size());
}

void SinkOutput::finish() {
  const std::uint64_t written = size();
  hand_over(pending());
  continue_at(buffer_.data(), buffer_.data(), written);
}

}  // namespace sluice::json
