#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "sinks/byte_output.h"
#include "sources/record_source.h"

/// Parts of a simulated world: everything is drawn from a seed, time is virtual.
namespace sluice::simulated {

/// splitmix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// From 0 to bound - 1.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

/// Lines of NDJSON, and what each sink should make of them, put together from the same parts
/// without any parser.
struct Records {
  std::string text;                  ///< the input
  std::vector<std::string> wholes;   ///< accepted records, each with its newline
  std::vector<std::string> objects;  ///< /id and /tag of each as an output object
  std::vector<std::string> tags;     ///< /tag decoded, with a newline; empty where it is missing
  std::uint64_t refused = 0;
};
Records draw_records(Random& random, std::size_t count, std::size_t largest,
                     std::size_t max_record);

/// Gives the text in pieces of drawn sizes, with waits between them.
class ScriptedInput final : public Input {
 public:
  ScriptedInput(const std::string& text, std::uint64_t seed, ManualClock& clock,
                ManualPoller& poller, int descriptor = 1'000);
  Result<ReadResult> read(std::span<std::uint8_t> into) override;
  int wait_descriptor() const override { return descriptor_; }

 private:
  const std::string& text_;
  Random random_;
  ManualClock& clock_;
  ManualPoller& poller_;
  int descriptor_;
  std::size_t at_ = 0;
  std::uint64_t ready_ns_ = 0;
};

class ScriptedOpener final : public InputOpener {
 public:
  explicit ScriptedOpener(std::unique_ptr<Input> input) : input_(std::move(input)) {}
  const std::string& name() const override { return name_; }
  Result<std::unique_ptr<Input>> open() override { return std::move(input_); }

 private:
  std::string name_ = "scripted.ndjson";
  std::unique_ptr<Input> input_;
};

/// How a scripted output behaves.
struct OutputScript {
  std::uint64_t seed = 0;
  std::size_t most_a_write = 1 << 20;
  unsigned wait_percent = 0;        ///< how often a write has to wait first
  std::uint64_t wait_ns = 0;        ///< and how long
  std::size_t fails_after = ~0ull;  ///< bytes
  std::size_t unit = 0;
};

/// Keeps what is written, as slowly and as badly as its script says.
class ScriptedOutput final : public ByteOutput {
 public:
  ScriptedOutput(const OutputScript& script, int descriptor, std::string& into, ManualClock& clock,
                 ManualPoller& poller);
  Result<std::size_t> write(std::span<const iovec> pieces) override;
  int wait_descriptor() const override { return descriptor_; }
  std::size_t unit_bytes() const override { return script_.unit; }
  Result<void> close() override { return {}; }

 private:
  OutputScript script_;
  Random random_;
  int descriptor_;
  std::string& into_;
  ManualClock& clock_;
  ManualPoller& poller_;
  std::uint64_t ready_ns_ = 0;
};

}  // namespace sluice::simulated
