#include "app/input_endpoint.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "json/bytes.h"

namespace sluice {
namespace {

/// An index larger than that is given back after the body that wanted it.
constexpr std::size_t kLargeBody = 256 * 1024;

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::uint8_t> without_blanks(std::span<const std::uint8_t> text) {
  while (!text.empty() && json::is_blank(text.front())) text = text.subspan(1);
  while (!text.empty() && json::is_blank(text.back())) text = text.first(text.size() - 1);
  return text;
}

}  // namespace

InputEndpoint::InputEndpoint(RecordContext& context, std::unique_ptr<Intake> intake,
                             Options options, Shape shape, Reply reply, Handler handler,
                             std::pmr::memory_resource* parser_memory)
    : RecordEndpoint(context, std::move(intake), std::move(options)),
      shape_(std::move(shape)),
      reply_(reply),
      handler_(std::move(handler)),
      scanner_(shape_, context.scan, parser_memory),
      parser_memory_(parser_memory),
      completed_(parser_memory),
      row_(json::row_words(context.selection.size())) {}

/// The record as it goes on: as it came, or with what the query and defaults add to it.
std::span<const std::uint8_t> InputEndpoint::complete(std::span<const std::uint8_t> body) {
  if (scanner_.insertions().empty()) return without_blanks(body);
  completed_.clear();
  std::size_t at = 0;
  for (const Insertion& each : scanner_.insertions()) {
    completed_.append(text_of(body).substr(at, each.offset - at)).append(each.text);
    at = each.offset;
  }
  completed_.append(text_of(body).substr(at));
  const std::size_t size = completed_.size();
  completed_.append(json::kScanPadding, ' ');
  return without_blanks({reinterpret_cast<const std::uint8_t*>(completed_.data()), size});
}

/// The row that sinks go by. False when there is none, though the record is good: no memory.
bool InputEndpoint::make_row(std::span<const std::uint8_t> text, std::span<std::uint64_t> row) {
  if (context_.selection.size() == 0) {
    row[0] = json::pack_range(0, static_cast<std::uint32_t>(text.size()));
    std::ranges::fill(row.subspan(1), 0);
    return true;
  }
  return document_scanner_.scan(text, row).has_value();
}

void InputEndpoint::take_one(http::Exchange& exchange, Outcome& outcome, http::Answer& answer) {
  try {
    take_whole(exchange, outcome, answer);
  } catch (const std::bad_alloc&) {
    refuse_for_room(outcome);
  }
}

void InputEndpoint::take_whole(http::Exchange& exchange, Outcome& outcome, http::Answer& answer) {
  const std::span<std::uint8_t> body = exchange.body();
  const bool good = scanner_.scan(body, exchange.head().query);
  if (body.size() > kLargeBody) scanner_.trim();
  if (!good) {
    add_problems(scanner_.faults(), text_of(body), 0, std::nullopt, outcome.problems);
    const Problem& first = outcome.problems.front();
    return refuse(outcome, first.code, first.detail);
  }
  const std::span<const std::uint8_t> text = complete(body);
  if (reply_ == Reply::echo && !scanner_.insertions().empty()) {
    // Before the record is accepted: what was added to it is in memory that the next one uses.
    std::optional<Buffer> copy = context_.pool.take(text.size(), Region::record);
    if (!copy) return refuse_for_room(outcome);
    answer.memory = std::move(*copy);
  }
  if (intake_) {
    const std::size_t answer_bytes = reply_ == Reply::accepted ? 0 : text.size();
    if (!reserve_answer(answer_bytes)) return refuse_for_room(outcome);
    if (!make_row(text, row_) || !store_one(exchange, text, row_)) return refuse_for_room(outcome);
  }
  outcome.accepted = 1;
  if (reply_ == Reply::accepted) return;
  answer.media_type = "application/json";
  if (reply_ == Reply::echo) {
    if (!answer.memory) {
      answer.add_piece(text);
    } else {
      std::ranges::copy(text, answer.memory.data());
      answer.add_piece(std::span<const std::uint8_t>(answer.memory.data(), text.size()));
    }
    return;
  }
  handler_(ShapedRecord(shape_, scanner_.record(), body), text_of(text), answer);
}

/// What is gathered of many records.
struct InputEndpoint::Many {
  Many(RecordContext& context, std::string_view whole, std::string_view query_text, Outcome& told,
       std::pmr::memory_resource* memory)
      : body(whole),
        query(query_text),
        outcome(told),
        rows(context.pool, json::row_words(context.selection.size())),
        rebuilt(memory) {}

  std::string_view body;
  std::string_view query;
  Outcome& outcome;
  Rows rows;
  std::pmr::string rebuilt;  ///< all records, once something was added to one of them
  bool is_rebuilt = false;
  bool room_left = true;
};

/// One of many records: its row, or what is wrong with it.
void InputEndpoint::take_record(Many& many, std::span<const std::uint8_t> record,
                                std::uint64_t index) {
  try {
    add_record(many, record, index);
  } catch (const std::bad_alloc&) {
    many.room_left = false;
  }
}

void InputEndpoint::add_record(Many& many, std::span<const std::uint8_t> record,
                               std::uint64_t index) {
  const auto start = static_cast<std::size_t>(text_of(record).data() - many.body.data());
  if (!scanner_.scan(record, many.query)) {
    ++many.outcome.rejected;
    if (scanner_.faults().front().code == ErrorCode::out_of_memory) many.room_left = false;
    add_problems(scanner_.faults().first(1), many.body, start, index, many.outcome.problems);
    return;
  }
  ++many.outcome.accepted;
  if (!intake_) return;
  const std::span<std::uint64_t> row = many.rows.room();
  many.room_left = !row.empty();
  if (!many.room_left) return;
  const std::span<const std::uint8_t> text = complete(record);
  const auto words = row.first(json::row_words(context_.selection.size()));
  many.room_left = make_row(text, words);
  if (!many.is_rebuilt && !scanner_.insertions().empty()) {
    many.is_rebuilt = true;
    many.rebuilt = many.body.substr(0, start);
  }
  if (many.is_rebuilt) {
    words[0] += many.rebuilt.size();
    many.rebuilt.append(text_of(text)) += '\n';
  } else {
    words[0] += static_cast<std::size_t>(text_of(text).data() - many.body.data());
  }
  many.rows.commit(1);
}

void InputEndpoint::finish(http::Exchange& exchange, Many& many, Outcome& outcome) {
  if (many.body.size() > kLargeBody) scanner_.trim();
  const auto whole = many.is_rebuilt ? std::string_view(many.rebuilt) : many.body;
  const std::span<const std::uint8_t> text(reinterpret_cast<const std::uint8_t*>(whole.data()),
                                           whole.size());
  if (many.room_left && store(exchange, text, many.rows)) return;
  outcome.accepted = 0;
  outcome.rejected = 0;
  outcome.problems.clear();
  refuse_for_room(outcome);
}

void InputEndpoint::take_lines(http::Exchange& exchange, Outcome& outcome) {
  const std::span<std::uint8_t> body = exchange.body();
  Many many(context_, text_of(body), exchange.head().query, outcome, parser_memory_);
  std::uint64_t index = 0;
  for (std::size_t at = 0; at < body.size() && many.room_left;) {
    const auto rest = body.subspan(at);
    const void* const newline = std::memchr(rest.data(), '\n', rest.size());
    const std::size_t size =
        newline == nullptr
            ? rest.size()
            : static_cast<std::size_t>(static_cast<const std::uint8_t*>(newline) - rest.data());
    const auto line = rest.first(size);
    at += size + 1;
    if (std::ranges::all_of(line, json::is_blank)) continue;
    take_record(many, line, index++);
  }
  finish(exchange, many, outcome);
}

void InputEndpoint::take_array(http::Exchange& exchange, Outcome& outcome) {
  const std::span<std::uint8_t> body = exchange.body();
  Rows elements(context_.pool, json::row_words(context_.selection.size()));
  if (const Result<void> read = read_array(body, elements); !read) {
    if (read.error().code == ErrorCode::budget_full) return refuse_for_room(outcome);
    outcome.problems.push_back(
        problem_of(read.error(), text_of(body), text_of(body), std::nullopt));
    return refuse(outcome, read.error().code, outcome.problems.back().detail);
  }
  Many many(context_, text_of(body), exchange.head().query, outcome, parser_memory_);
  const std::size_t words = json::row_words(context_.selection.size());
  for (std::size_t row = 0; row < elements.count() && many.room_left; ++row) {
    const std::uint64_t range = elements.words()[row * words];
    take_record(many, body.subspan(json::range_start(range), json::range_size(range)), row);
  }
  finish(exchange, many, outcome);
}

}  // namespace sluice
