#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cors.h"
#include "app/endpoint.h"
#include "app/idempotency.h"
#include "app/intake.h"
#include "app/media_type.h"
#include "app/problem.h"
#include "app/rows.h"
#include "base/loop.h"
#include "flow/acknowledgements.h"
#include "http/server.h"
#include "json/document_scanner.h"
#include "json/line_scanner.h"

namespace sluice {

/// What a 2xx promises.
enum class Ack : std::uint8_t {
  memory,  ///< checked and held; a crash loses it
  sinks,   ///< every sink that blocks has acknowledged it
};

/// What all endpoints that take records stand on; outlives them.
struct RecordContext {
  Loop& loop;
  Pool& pool;
  http::Server* server = nullptr;    ///< for answers that come later
  const json::Selection& selection;  ///< of all sinks
  json::ScanOptions scan;
  std::span<std::byte> streams;  ///< json::kStreamBytes, for scanners, which take turns
  IdempotencyStore* idempotency = nullptr;
  const Cors* cors = nullptr;  ///< null: no other origin may ask
  bool draining = false;       ///< the program is about to end
  /// Null where nobody waits for sinks.
  const Acknowledgements* acknowledgements = nullptr;
};

/// Takes records by POST: one value, many as NDJSON, or the elements of an array; tells what was
/// accepted, and hands it to the flow.
class RecordEndpoint : public Endpoint {
 public:
  struct Options {
    std::string name;
    std::size_t max_body = 1024 * 1024;
    Ack ack = Ack::memory;
  };
  /// `intake` is null where no sink takes from here.
  RecordEndpoint(RecordContext& context, std::unique_ptr<Intake> intake, Options options);
  ~RecordEndpoint() override;

  std::string_view allowed() const override { return "POST"; }
  bool needs_token() const override { return true; }
  http::Application::Decision on_head(const http::Head& head, http::Answer& answer) override;
  void on_request(http::Exchange& exchange) override;
  /// Answers those who waited for sinks and need not any more.
  void serve_waiting();

  const std::string& name() const { return options_.name; }
  const Intake* intake() const { return intake_.get(); }
  /// Records so far. A request that is refused as a whole counts as one.
  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t rejected() const { return rejected_; }

 protected:
  /// What came of a request.
  struct Outcome {
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
    std::vector<Problem> problems;
    ErrorCode refused = ErrorCode::none;  ///< all of it, for that reason
    std::string detail;
  };

  /// One record, in the whole body.
  virtual void take_one(http::Exchange& exchange, Outcome& outcome, http::Answer& answer) = 0;
  virtual void take_lines(http::Exchange& exchange, Outcome& outcome) = 0;
  virtual void take_array(http::Exchange& exchange, Outcome& outcome) = 0;

  /// Puts records into the flow: `text` holds those that `rows` tell of. It lies in the body, or in
  /// memory that goes. False when there is no room.
  bool store(http::Exchange& exchange, std::span<const std::uint8_t> text, Rows& rows);
  /// The same of one record.
  bool store_one(http::Exchange& exchange, std::span<const std::uint8_t> text,
                 std::span<const std::uint64_t> row);
  /// Counts the text of an answer that may have to wait for sinks; to be asked before the record is
  /// put into the flow. False when there is no room.
  bool reserve_answer(std::size_t bytes);
  /// The rows of an array's elements. Errors: the fault of syntax that ends it; budget_full.
  Result<void> read_array(std::span<const std::uint8_t> body, Rows& rows);
  static void refuse(Outcome& outcome, ErrorCode code, std::string detail = {}) {
    outcome.refused = code;
    outcome.detail = std::move(detail);
  }
  /// The sinks take no more: now, or never.
  void refuse_for_room(Outcome& outcome) const {
    refuse(outcome, why_no_room(), std::string(detail_of_no_room()));
  }

  RecordContext& context_;
  Options options_;
  std::unique_ptr<Intake> intake_;
  json::DocumentScanner document_scanner_;
  json::LineScanner line_scanner_;

 private:
  struct Waiting {
    std::uint64_t target;  ///< acknowledged records
    http::Ticket ticket;
    std::string key;
    http::Answer answer;
    std::size_t counted_bytes;  ///< of the answer's text
  };

  class Decompressed;

  ErrorCode why_no_room() const;
  std::string_view detail_of_no_room() const;
  bool waits_for_sinks() const;
  void take(http::Exchange& exchange);
  static bool is_many(Media media, std::span<const std::uint8_t> body);
  bool begin_idempotent(http::Exchange& exchange, const std::string& key);
  void finish_idempotent(const std::string& key, const http::Answer& answer);
  void answer_counts(Outcome& outcome, http::Answer& answer) const;
  void give(http::Exchange& exchange, http::Answer&& answer, const std::string& key, bool accepted);
  bool adopt(http::Exchange& exchange, std::span<const std::uint8_t> text, Rows& rows);

  std::deque<Waiting> waiting_;
  std::uint64_t accepted_ = 0;
  std::uint64_t rejected_ = 0;
  std::size_t reserved_ = 0;  ///< counted for the answer that is being made
};

}  // namespace sluice
