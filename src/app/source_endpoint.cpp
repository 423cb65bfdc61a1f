#include "app/source_endpoint.h"

namespace sluice {
namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Keeps what is wrong with lines, the first few in full.
class Faults final : public json::LineFaults {
 public:
  Faults(std::string_view body, std::vector<Problem>& problems)
      : body_(body), problems_(problems) {}

  /// The text that is scanned begins there, and so many records and lines came before it.
  void begin(std::size_t start, std::uint64_t rows_before) {
    start_ = start;
    rows_before_ = rows_before;
  }
  void on_fault(const json::LineFault& fault) override {
    ++count_;
    if (problems_.size() == kMostProblems) return;
    const std::string_view line = body_.substr(start_ + fault.start, fault.size);
    problems_.push_back(problem_of(fault.error, line, body_, std::nullopt));
    lines_.push_back(start_ + fault.start);
  }
  std::uint64_t count() const { return count_; }
  /// The index among the records, blank lines not counted, of each problem's line.
  void number(std::span<const std::uint64_t> rows, std::size_t row_words) {
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      std::uint64_t before = at;
      for (std::size_t row = 0; row < rows.size(); row += row_words) {
        if (json::range_start(rows[row]) < lines_[at]) ++before;
      }
      problems_[at].index = before;
    }
  }

 private:
  std::string_view body_;
  std::vector<Problem>& problems_;
  std::vector<std::size_t> lines_;
  std::size_t start_ = 0;
  std::uint64_t rows_before_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

void SourceEndpoint::take_one(http::Exchange& exchange, Outcome& outcome, http::Answer&) {
  const std::span<std::uint8_t> body = exchange.body();
  row_.resize(json::row_words(context_.selection.size()));
  const Result<void> scanned = document_scanner_.scan(body, row_);
  if (!scanned) {
    outcome.problems.push_back(
        problem_of(scanned.error(), text_of(body), text_of(body), std::nullopt));
    return refuse(outcome, scanned.error().code, outcome.problems.back().detail);
  }
  if (!store_one(exchange, body, row_)) return refuse_for_room(outcome);
  outcome.accepted = 1;
}

void SourceEndpoint::take_lines(http::Exchange& exchange, Outcome& outcome) {
  std::span<std::uint8_t> body = exchange.body();
  if (body.empty()) return;
  // The scanner wants the last line ended, too; the byte behind may belong to the next request.
  std::uint8_t* const behind = body.data() + body.size();
  const std::uint8_t kept = *behind;
  const bool unended = body.back() != '\n';
  const std::span<const std::uint8_t> text(body.data(), body.size() + (unended ? 1 : 0));
  if (unended) *behind = '\n';
  Rows rows(context_.pool, json::row_words(context_.selection.size()));
  Faults faults(text_of(body), outcome.problems);
  bool room_left = true;
  for (std::size_t at = 0; at < text.size() && room_left;) {
    const std::span<std::uint64_t> room = rows.room();
    room_left = !room.empty();
    if (!room_left) break;
    faults.begin(at, rows.count());
    const auto progress = line_scanner_.scan(text.subspan(at), room, faults);
    for (std::uint32_t row = 0; row < progress.rows; ++row) {
      room[row * json::row_words(context_.selection.size())] += at;
    }
    rows.commit(progress.rows);
    at += progress.consumed;
  }
  if (unended) *behind = kept;
  if (!room_left) return refuse_for_room(outcome);
  faults.number(rows.words(), json::row_words(context_.selection.size()));
  const std::uint64_t accepted = rows.count();
  if (!store(exchange, body, rows)) return refuse_for_room(outcome);
  outcome.accepted = accepted;
  outcome.rejected = faults.count();
}

void SourceEndpoint::take_array(http::Exchange& exchange, Outcome& outcome) {
  const std::span<std::uint8_t> body = exchange.body();
  Rows rows(context_.pool, json::row_words(context_.selection.size()));
  if (const Result<void> read = read_array(body, rows); !read) {
    if (read.error().code == ErrorCode::budget_full) return refuse_for_room(outcome);
    outcome.problems.push_back(
        problem_of(read.error(), text_of(body), text_of(body), std::nullopt));
    return refuse(outcome, read.error().code, outcome.problems.back().detail);
  }
  const std::uint64_t accepted = rows.count();
  if (!store(exchange, body, rows)) return refuse_for_room(outcome);
  outcome.accepted = accepted;
}

}  // namespace sluice
