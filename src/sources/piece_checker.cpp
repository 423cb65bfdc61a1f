#include "sources/piece_checker.h"

#include <algorithm>
#include <cstring>

namespace sluice {

Place place_in(std::span<const std::uint8_t> text, std::uint64_t offset, const Place& start) {
  const auto before = text.first(std::min<std::size_t>(offset, text.size()));
  const auto last_newline = std::find(before.rbegin(), before.rend(), '\n');
  const auto columns = static_cast<std::uint64_t>(last_newline - before.rbegin());
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
  return {.line = start.line + lines, .column = (lines == 0 ? start.column : 1) + columns};
}

void PieceChecker::begin(std::uint64_t offset, std::uint64_t line) {
  checker_.restart();
  offset_ = offset;
  fed_ = 0;
  line_ = line;
  line_start_ = 0;
  last_size_ = 0;
  refused_ = false;
}

void PieceChecker::feed(std::span<const std::uint8_t> piece, const std::string& input,
                        Refusals& refusals) {
  if (refused_ || piece.empty()) return;
  if (const Result<void> fed = checker_.feed(piece); !fed) {
    tell(fed.error(), piece, input, refusals);
    return;
  }
  const Place end = place_in(piece, piece.size(), {.line = line_});
  if (end.line != line_) line_start_ = fed_ + piece.size() - (end.column - 1);
  line_ = end.line;
  remember(piece);
  fed_ += piece.size();
}

bool PieceChecker::finish(const std::string& input, Refusals& refusals) {
  return !blank() && finish_document(input, refusals);
}

bool PieceChecker::finish_document(const std::string& input, Refusals& refusals) {
  if (refused_) return false;
  const Result<void> finished = checker_.finish();
  if (!finished) tell(finished.error(), {}, input, refusals);
  return finished.has_value();
}

void PieceChecker::tell(const Error& error, std::span<const std::uint8_t> piece,
                        const std::string& input, Refusals& refusals) {
  refused_ = true;
  // The fault lies in this piece, or a few bytes in front of it (in the same line).
  Place place{.line = line_, .column = error.offset - line_start_ + 1};
  if (error.offset >= fed_) {
    const Place inside = place_in(piece, error.offset - fed_, {.line = line_});
    if (inside.line != line_) place = inside;
  }
  std::array<std::uint8_t, 2 * kLookBack> window{};
  std::memcpy(window.data(), last_.data(), last_size_);
  std::size_t size = last_size_;
  std::uint64_t base = fed_ - last_size_;
  if (error.offset >= fed_) {
    const auto from = piece.subspan(static_cast<std::size_t>(error.offset - fed_));
    size = std::min(from.size(), kLookBack);
    base = error.offset;
    if (size > 0) std::memcpy(window.data(), from.data(), size);
  } else {
    const std::size_t more = std::min(piece.size(), kLookBack);
    std::memcpy(window.data() + size, piece.data(), more);
    size += more;
  }
  refusals.on_refused({.input = input,
                       .offset = offset_,
                       .error = error,
                       .line = place.line,
                       .column = place.column,
                       .text = {window.data(), size},
                       .text_base = base});
}

void PieceChecker::remember(std::span<const std::uint8_t> piece) {
  if (piece.size() >= kLookBack) {
    std::memcpy(last_.data(), piece.data() + piece.size() - kLookBack, kLookBack);
    last_size_ = kLookBack;
    return;
  }
  const std::size_t kept = std::min(last_size_, kLookBack - piece.size());
  std::memmove(last_.data(), last_.data() + last_size_ - kept, kept);
  std::memcpy(last_.data() + kept, piece.data(), piece.size());
  last_size_ = kept + piece.size();
}

}  // namespace sluice
