#pragma once

#include <functional>
#include <memory_resource>
#include <string>

#include "app/record_endpoint.h"
#include "record/shape_scanner.h"
#include "record/shaped_record.h"

namespace sluice {

/// What a request with one record is answered with.
enum class Reply : std::uint8_t {
  accepted,  ///< 202 and counts
  echo,      ///< 200 and the record
  handler,   ///< what a function of the program makes of it
};

/// `POST /inputs/NAME`: records of a declared shape.
class InputEndpoint final : public RecordEndpoint {
 public:
  /// Makes the answer to one record; `text` is the whole record, with what was added from the query
  /// and by default.
  using Handler =
      std::function<void(const ShapedRecord& record, std::string_view text, http::Answer& answer)>;

  /// `parser_memory` outlives it.
  InputEndpoint(RecordContext& context, std::unique_ptr<Intake> intake, Options options,
                Shape shape, Reply reply, Handler handler,
                std::pmr::memory_resource* parser_memory);

  const Shape& shape() const { return shape_; }
  Reply reply() const { return reply_; }

 private:
  void take_one(http::Exchange& exchange, Outcome& outcome, http::Answer& answer) override;
  void take_whole(http::Exchange& exchange, Outcome& outcome, http::Answer& answer);
  void take_lines(http::Exchange& exchange, Outcome& outcome) override;
  void take_array(http::Exchange& exchange, Outcome& outcome) override;

  struct Many;
  void take_record(Many& many, std::span<const std::uint8_t> record, std::uint64_t index);
  void add_record(Many& many, std::span<const std::uint8_t> record, std::uint64_t index);
  void finish(http::Exchange& exchange, Many& many, Outcome& outcome);
  bool make_row(std::span<const std::uint8_t> text, std::span<std::uint64_t> row);
  std::span<const std::uint8_t> complete(std::span<const std::uint8_t> body);

  Shape shape_;
  Reply reply_;
  Handler handler_;
  ShapeScanner scanner_;
  std::pmr::memory_resource* parser_memory_;
  std::pmr::string completed_;  ///< the record with what was added, and padding
  std::vector<std::uint64_t> row_;
};

}  // namespace sluice
