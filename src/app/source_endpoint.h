#pragma once

#include "app/record_endpoint.h"

namespace sluice {

/// `POST /sources/NAME`: any JSON is a record.
class SourceEndpoint final : public RecordEndpoint {
 public:
  using RecordEndpoint::RecordEndpoint;

 private:
  void take_one(http::Exchange& exchange, Outcome& outcome, http::Answer& answer) override;
  void take_lines(http::Exchange& exchange, Outcome& outcome) override;
  void take_array(http::Exchange& exchange, Outcome& outcome) override;

  std::vector<std::uint64_t> row_;
};

}  // namespace sluice
