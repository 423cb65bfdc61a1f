#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "flow/port.h"

namespace sluice {

/// Is told when records of an inlet have been acknowledged, or will never be. It is called in the
/// middle of a sink's work: take note, and act later, from the loop.
class AcknowledgementObserver {
 public:
  virtual ~AcknowledgementObserver() = default;
  virtual void on_acknowledged(std::size_t inlet) = 0;
};

/// How far each inlet's records have been acknowledged by all sinks that block. Records of an inlet
/// reach a sink in their order, so one number a sink and inlet says it all: whoever waits for a
/// block remembers `FanOut::offered` as it was behind it, and is served when `all` has come as far.
/// Memory and cost do not depend on how many blocks are on their way.
class Acknowledgements final : public PortListener {
 public:
  /// `blocking`: for each inlet the ports of sinks that block. `observer` outlives it.
  Acknowledgements(std::vector<std::vector<std::size_t>> blocking,
                   AcknowledgementObserver& observer)
      : observer_(observer) {
    for (std::vector<std::size_t>& ports : blocking) {
      const std::size_t count = ports.size();
      inlets_.push_back({.ports = std::move(ports), .records = std::vector<std::uint64_t>(count)});
    }
  }

  /// Records of `inlet`, oldest first, that every sink that blocks has acknowledged; without any
  /// such sink, as many as there could ever be.
  std::uint64_t all(std::size_t inlet) const {
    const std::vector<std::uint64_t>& records = inlets_[inlet].records;
    return records.empty() ? ~std::uint64_t{0} : *std::ranges::min_element(records);
  }
  /// Whether a sink that blocks has failed: then what `all` does not count it never will.
  bool has_failed(std::size_t inlet) const { return inlets_[inlet].has_failed; }

  void on_acknowledged(std::size_t port, std::size_t inlet, std::uint64_t records) override {
    Inlet& of = inlets_[inlet];
    const auto at = std::ranges::find(of.ports, port) - of.ports.begin();
    of.records[static_cast<std::size_t>(at)] += records;
    observer_.on_acknowledged(inlet);
  }
  void on_failed(std::size_t port) override {
    for (std::size_t inlet = 0; inlet < inlets_.size(); ++inlet) {
      if (std::ranges::find(inlets_[inlet].ports, port) == inlets_[inlet].ports.end()) continue;
      inlets_[inlet].has_failed = true;
      observer_.on_acknowledged(inlet);
    }
  }

 private:
  struct Inlet {
    std::vector<std::size_t> ports;
    std::vector<std::uint64_t> records;  ///< as `ports`
    bool has_failed = false;
  };

  AcknowledgementObserver& observer_;
  std::vector<Inlet> inlets_;
};

}  // namespace sluice
