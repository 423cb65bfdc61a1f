#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/loop.h"
#include "condition.h"
#include "flow/port.h"
#include "flow/retention_trace.h"
#include "flow/sink.h"
#include "flow/source.h"
#include "sources/input_opener.h"

namespace sluice::model {

/// What work costs in virtual time: nanoseconds a byte and a time.
struct Costs {
  double parse_ns_a_byte = 0;
  std::uint64_t parse_ns = 0;
  double copy_ns_a_byte = 0.05;
  std::uint64_t copy_ns = 60;
  double take_ns_a_byte = 0;
  std::uint64_t take_ns = 200;
};

/// Gives each record of a text when it has arrived.
class ArrivingInput final : public Input {
 public:
  ArrivingInput(const std::string& text, const std::vector<std::size_t>& ends,
                const std::vector<RecordPlan>& records, ManualClock& clock, ManualPoller& poller);
  Result<ReadResult> read(std::span<std::uint8_t> into) override;
  int wait_descriptor() const override { return kDescriptor; }

 private:
  static constexpr int kDescriptor = 1'000;
  const std::string& text_;
  const std::vector<std::size_t>& ends_;
  const std::vector<RecordPlan>& records_;
  ManualClock& clock_;
  ManualPoller& poller_;
  std::uint64_t start_ns_;
  std::size_t at_ = 0;
  std::size_t arrived_ = 0;  ///< records
};

/// A source whose blocks take time to read and check.
class TimedSource final : public Source {
 public:
  TimedSource(Source& source, const Costs& costs, ManualClock& clock)
      : source_(source), costs_(costs), clock_(clock) {}
  Step step(const HasRoom& has_room, BlockRef& block) override;
  int wait_descriptor() const override { return source_.wait_descriptor(); }
  void stop() override { source_.stop(); }
  SourceCounts counts() const override { return source_.counts(); }

 private:
  Source& source_;
  Costs costs_;
  ManualClock& clock_;
};

/// Makes copies take time.
class CopyTimer final : public RetentionTrace {
 public:
  CopyTimer(const Costs& costs, ManualClock& clock) : costs_(costs), clock_(clock) {}
  void on_copy(const CopyDecision& decision) override;

 private:
  Costs costs_;
  ManualClock& clock_;
};

/// Lets records go when its plan says. Until then they wait in the port.
class ModelSink final : public Sink {
 public:
  ModelSink(const SinkPlan& plan, Port& port, std::uint32_t fields, const Costs& costs, Loop& loop,
            ManualClock& clock);
  ~ModelSink() override { loop_.clear(wake_); }
  bool pump() override;
  bool flush() override { return pump(); }
  void begin_end() override { ending_ = true; }
  bool ended() override { return ending_ && port_.outstanding() == 0; }
  void abandon() override {}
  bool holds_back() const override { return false; }
  SinkDigest digest() const override { return {}; }

 private:
  struct Wake final : Timer {
    void on_time() override {}
  };
  std::uint64_t leaves_ns(const Port::Next& next);
  std::uint64_t selected_bytes(const Taken& taken) const;

  SinkPlan plan_;
  Port& port_;
  std::uint32_t fields_;
  Costs costs_;
  Loop& loop_;
  ManualClock& clock_;
  std::uint64_t start_ns_;
  Wake wake_;
  bool ending_ = false;
  bool knows_next_ = false;
  std::uint64_t next_leaves_ns_ = 0;
  std::uint64_t busy_until_ns_ = 0;
  std::uint64_t last_left_ns_ = 0;
};

}  // namespace sluice::model
