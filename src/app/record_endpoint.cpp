#include "app/record_endpoint.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "app/body_coding.h"
#include "json/bytes.h"

namespace sluice {
namespace {

constexpr std::size_t kSlack = json::kScanPadding + 2;
constexpr std::string_view kAccepts = "application/json, application/x-ndjson";
constexpr std::string_view kOneAccepted = "{\"accepted\":1,\"rejected\":0}\n";

}  // namespace

RecordEndpoint::~RecordEndpoint() {
  for (const Waiting& each : waiting_) {
    context_.pool.budget().give_back(Region::record, each.counted_bytes);
  }
}

RecordEndpoint::RecordEndpoint(RecordContext& context, std::unique_ptr<Intake> intake,
                               Options options)
    : context_(context),
      options_(std::move(options)),
      intake_(std::move(intake)),
      document_scanner_(context.selection, context.scan, context.streams),
      line_scanner_(context.selection, context.scan, context.streams) {}

http::Application::Decision RecordEndpoint::on_head(const http::Head& head, http::Answer& answer) {
  const auto refuse = [&](ErrorCode code, std::string_view detail) {
    answer_problem(code, detail, {}, answer);
    return http::Application::Decision{.refused = true};
  };
  const Media media = media_of(head.content_type);
  if (media != Media::json && media != Media::ndjson) {
    answer.add_header("accept-post", kAccepts);
    return refuse(ErrorCode::media_type,
                  "send JSON as application/json, or NDJSON as application/x-ndjson, in UTF-8");
  }
  if (!coding_of(head.content_encoding)) {
    answer.add_header("accept-encoding", kCodings);
    return refuse(ErrorCode::media_type, "compress the body with gzip or zstd, or not at all");
  }
  if (head.idempotency_key.size() > IdempotencyStore::kLongestKey) {
    return refuse(ErrorCode::head_limit, "an Idempotency-Key has up to 255 bytes");
  }
  if (intake_) {
    const bool failed =
        waits_for_sinks() && context_.acknowledgements->has_failed(intake_->inlet());
    if (failed) return refuse(ErrorCode::sink_unavailable, "");
    const std::uint64_t size =
        std::min<std::uint64_t>(head.content_length.value_or(0), options_.max_body);
    if (!intake_->may_have_room(static_cast<std::size_t>(size))) {
      return refuse(why_no_room(), detail_of_no_room());
    }
  }
  return {.most_body_bytes = options_.max_body};
}

/// A source that takes no more has no sinks left, unless the program ends.
ErrorCode RecordEndpoint::why_no_room() const {
  if (!intake_ || !intake_->is_stopped()) return ErrorCode::budget_full;
  return context_.draining ? ErrorCode::draining : ErrorCode::sink_unavailable;
}

/// Empty: the code's own text.
std::string_view RecordEndpoint::detail_of_no_room() const {
  if (why_no_room() != ErrorCode::budget_full) return {};
  return "the sinks have not kept up: there is no room now";
}

bool RecordEndpoint::waits_for_sinks() const {
  return options_.ack == Ack::sinks && intake_ && context_.acknowledgements != nullptr;
}

/// NDJSON, or an array, whose elements are the records.
bool RecordEndpoint::is_many(Media media, std::span<const std::uint8_t> body) {
  if (media == Media::ndjson) return true;
  const auto first = std::ranges::find_if_not(body, json::is_blank);
  return first != body.end() && *first == '[';
}

/// A request whose body was decompressed.
class RecordEndpoint::Decompressed final : public http::Exchange {
 public:
  Decompressed(http::Exchange& exchange, DecodedBody&& body)
      : exchange_(exchange),
        body_(body.buffer.data(), body.size),
        buffer_(std::move(body.buffer)) {}

  const http::Head& head() const override { return exchange_.head(); }
  std::span<std::uint8_t> body() override { return body_; }
  Buffer* own_buffer() override { return &buffer_; }
  void answer(http::Answer&& answer) override {
    // Pieces may lie in the body, unless they have memory of their own.
    if (buffer_ && !answer.memory) answer.memory = std::move(buffer_);
    exchange_.answer(std::move(answer));
  }
  http::Ticket defer() override { return exchange_.defer(); }

 private:
  http::Exchange& exchange_;
  std::span<std::uint8_t> body_;
  Buffer buffer_;
};

void RecordEndpoint::on_request(http::Exchange& exchange) {
  const Coding coding = coding_of(exchange.head().content_encoding).value_or(Coding::identity);
  if (coding == Coding::identity) return take(exchange);
  Result<DecodedBody> body =
      decode_body(coding, exchange.body(), options_.max_body, http::kBodyPadding, context_.pool);
  if (body) {
    Decompressed decompressed(exchange, std::move(*body));
    return take(decompressed);
  }
  http::Answer answer;
  answer_problem(body.error().code, "", {}, answer);
  if (context_.cors != nullptr) context_.cors->add_to(answer, exchange.head().origin);
  exchange.answer(std::move(answer));
}

void RecordEndpoint::take(http::Exchange& exchange) {
  const http::Head& head = exchange.head();
  const std::string key(head.idempotency_key);
  if (!key.empty() && !begin_idempotent(exchange, key)) return;
  const Media media = media_of(head.content_type);
  Outcome outcome;
  http::Answer answer;
  if (!is_many(media, exchange.body())) {
    take_one(exchange, outcome, answer);
    if (outcome.refused == ErrorCode::none) {
      ++accepted_;
      if (answer.media_type.empty()) {
        answer.status = 202;
        answer.media_type = "application/json";
        answer.add_piece(kOneAccepted);
      }
      return give(exchange, std::move(answer), key, true);
    }
  } else if (media == Media::ndjson) {
    take_lines(exchange, outcome);
  } else {
    take_array(exchange, outcome);
  }
  accepted_ += outcome.accepted;
  rejected_ += outcome.refused == ErrorCode::none ? outcome.rejected : outcome.rejected + 1;
  answer_counts(outcome, answer);
  give(exchange, std::move(answer), key, outcome.accepted > 0);
}

/// `{"accepted":n,"rejected":m,"errors":[...]}`, or the problem that all of it had.
void RecordEndpoint::answer_counts(Outcome& outcome, http::Answer& answer) const {
  if (outcome.refused == ErrorCode::none && outcome.accepted == 0 && outcome.rejected > 0) {
    outcome.refused = outcome.problems.front().code;
    constexpr int kUnprocessable = 422;
    return answer_problem(outcome.refused, "every record was refused", outcome.problems, answer,
                          kUnprocessable);
  }
  if (outcome.refused != ErrorCode::none) {
    return answer_problem(outcome.refused, outcome.detail, outcome.problems, answer);
  }
  answer.status = 202;
  answer.media_type = "application/json";
  answer.text = "{\"accepted\":" + std::to_string(outcome.accepted) +
                ",\"rejected\":" + std::to_string(outcome.rejected);
  if (!outcome.problems.empty()) answer.text += ",\"errors\":" + problems_json(outcome.problems);
  answer.text += "}\n";
}

/// Answers now, or when the sinks have what was accepted.
void RecordEndpoint::give(http::Exchange& exchange, http::Answer&& answer, const std::string& key,
                          bool accepted) {
  // Where no sink blocks, nothing is ever told about one: there is nothing to wait for, either.
  const bool waits = accepted && waits_for_sinks() &&
                     context_.acknowledgements->all(intake_->inlet()) < intake_->accepted();
  if (!waits) {
    context_.pool.budget().give_back(Region::record, std::exchange(reserved_, 0));
    if (context_.cors != nullptr) context_.cors->add_to(answer, exchange.head().origin);
    if (!key.empty()) finish_idempotent(key, answer);
    return exchange.answer(std::move(answer));
  }
  if (context_.cors != nullptr) context_.cors->add_to(answer, exchange.head().origin);
  // Pieces of the body are gone by then.
  std::string text;
  for (std::size_t i = 0; i < answer.piece_count; ++i) text += answer.pieces[i];
  answer.text.insert(0, text);
  answer.piece_count = 0;
  answer.memory = Buffer();
  waiting_.push_back({.target = intake_->accepted(),
                      .ticket = exchange.defer(),
                      .key = key,
                      .answer = std::move(answer),
                      .counted_bytes = std::exchange(reserved_, 0)});
}

void RecordEndpoint::serve_waiting() {
  if (waiting_.empty()) return;
  const std::size_t inlet = intake_->inlet();
  const std::uint64_t acknowledged = context_.acknowledgements->all(inlet);
  const bool failed = context_.acknowledgements->has_failed(inlet);
  while (!waiting_.empty() && (failed || waiting_.front().target <= acknowledged)) {
    Waiting waiting = std::move(waiting_.front());
    waiting_.pop_front();
    if (waiting.target > acknowledged) {
      waiting.answer = {};
      answer_problem(ErrorCode::sink_unavailable, "", {}, waiting.answer);
    }
    if (!waiting.key.empty()) finish_idempotent(waiting.key, waiting.answer);
    // What does not go out at once is copied, and counted beside the text until that is gone.
    context_.server->answer(waiting.ticket, std::move(waiting.answer));
    context_.pool.budget().give_back(Region::record, waiting.counted_bytes);
  }
}

bool RecordEndpoint::reserve_answer(std::size_t bytes) {
  if (options_.ack != Ack::sinks || !intake_) return true;
  if (!context_.pool.budget().try_take(Region::record, bytes)) return false;
  reserved_ = bytes;
  return true;
}

/// False when the request is answered with that: it was made before, or is being made.
bool RecordEndpoint::begin_idempotent(http::Exchange& exchange, const std::string& key) {
  const auto content = IdempotencyStore::fingerprint(exchange.head().query, exchange.body());
  const auto begun =
      context_.idempotency->begin(options_.name, key, content, context_.loop.now_ns());
  using Was = IdempotencyStore::Outcome;
  if (begun.outcome == Was::fresh) return true;
  http::Answer answer;
  if (begun.outcome == Was::repeat) {
    answer.status = begun.answer->status;
    answer.media_type = begun.answer->media_type;
    answer.text = begun.answer->body;
  } else {
    const ErrorCode code = begun.outcome == Was::busy     ? ErrorCode::idempotency_busy
                           : begun.outcome == Was::reused ? ErrorCode::idempotency_reused
                                                          : ErrorCode::budget_full;
    answer_problem(code, "", {}, answer);
  }
  if (context_.cors != nullptr) context_.cors->add_to(answer, exchange.head().origin);
  exchange.answer(std::move(answer));
  return false;
}

/// What a repeat is to get; after a failure of ours it may be tried again.
void RecordEndpoint::finish_idempotent(const std::string& key, const http::Answer& answer) {
  if (answer.status >= 500) return context_.idempotency->forget(options_.name, key);
  StoredAnswer stored{
      .status = answer.status, .media_type = std::string(answer.media_type), .body = {}};
  for (std::size_t i = 0; i < answer.piece_count; ++i) stored.body += answer.pieces[i];
  stored.body += answer.text;
  context_.idempotency->finish(options_.name, key, std::move(stored));
}

bool RecordEndpoint::store(http::Exchange& exchange, std::span<const std::uint8_t> text,
                           Rows& rows) {
  if (!intake_ || rows.count() == 0) return true;
  if (text.size() <= intake_->alone_from()) return intake_->append(text, rows.words());
  return adopt(exchange, text, rows);
}

bool RecordEndpoint::store_one(http::Exchange& exchange, std::span<const std::uint8_t> text,
                               std::span<const std::uint64_t> row) {
  if (!intake_) return true;
  if (text.size() <= intake_->alone_from()) return intake_->append(text, row);
  Rows rows(context_.pool, row.size());
  const std::span<std::uint64_t> room = rows.room();
  if (room.empty()) return false;
  std::ranges::copy(row, room.begin());
  rows.commit(1);
  return adopt(exchange, text, rows);
}

/// Records too large to be copied among others: the buffer they came in becomes their block, where
/// nobody else needs it.
bool RecordEndpoint::adopt(http::Exchange& exchange, std::span<const std::uint8_t> text,
                           Rows& rows) {
  Buffer* const own = exchange.own_buffer();
  const bool in_own = own != nullptr && text.data() >= own->data() &&
                      text.data() + text.size() + kSlack <= own->data() + own->capacity();
  Buffer copy;
  std::size_t start = 0;
  if (in_own) {
    start = static_cast<std::size_t>(text.data() - own->data());
  } else {
    std::optional<Buffer> taken = context_.pool.take(text.size() + kSlack, Region::input);
    if (!taken) return false;
    copy = std::move(*taken);
    std::memcpy(copy.data(), text.data(), text.size());
  }
  Buffer& data = in_own ? *own : copy;
  data.data()[start + text.size()] = '\n';
  bool multiline = false;
  const std::span<std::uint64_t> words = rows.words();
  for (std::size_t row = 0; row < words.size(); row += intake_->row_words()) {
    words[row] += start;
    const std::uint8_t* const body = data.data() + json::range_start(words[row]);
    const std::uint32_t size = json::range_size(words[row]);
    multiline = multiline || body[size] != '\n' || std::memchr(body, '\n', size) != nullptr;
  }
  return intake_->adopt(data, rows.buffer(), static_cast<std::uint32_t>(rows.count()), multiline,
                        text.size());
}

Result<void> RecordEndpoint::read_array(std::span<const std::uint8_t> body, Rows& rows) {
  json::ArrayScanner scanner(context_.selection, context_.scan, context_.streams);
  std::size_t at = 0;
  while (at < body.size()) {
    const std::span<std::uint64_t> room = rows.room();
    if (room.empty()) return Error{.code = ErrorCode::budget_full};
    json::ArrayScanner::Progress progress;
    const Result<void> scanned = scanner.scan(body.subspan(at), true, room, progress);
    for (std::uint32_t row = 0; row < progress.rows; ++row) {
      room[row * json::row_words(context_.selection.size())] += at;
    }
    rows.commit(progress.rows);
    if (!scanned) {
      Error error = scanned.error();
      error.offset += at;
      return error;
    }
    if (progress.consumed == 0 && progress.rows == 0) break;
    at += progress.consumed;
  }
  return {};
}

}  // namespace sluice
