#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "json/line_scanner.h"
#include "json/plain_machine.h"
#include "json/plain_select.h"
#include "kernel/kernel.h"

/// What the scanners' tests have in common.
namespace sluice::json {

/// Memory for one scanner, of exactly the size it may use.
struct StreamMemory {
  alignas(64) std::byte bytes[kStreamBytes];
  operator std::span<std::byte>() { return bytes; }
};

inline Selection select_fields(const std::vector<std::string>& pointers) {
  std::vector<Pointer> parsed;
  for (const std::string& pointer : pointers) parsed.push_back(Pointer::parse(pointer).value());
  return Selection(std::move(parsed));
}

/// Runs `test` with each kernel this machine has; scanners made in it use that kernel.
inline void with_every_kernel(const std::function<void(const char* name)>& test) {
  for (const kernel::Kernel* kernel : kernel::supported()) {
    static_cast<void>(kernel::select(kernel->name).has_value());
    test(kernel->name);
  }
  static_cast<void>(kernel::select_from_environment().has_value());
}

/// A copy of a text in memory of its own, with the padding that scanners may read.
class PaddedText {
 public:
  explicit PaddedText(std::string_view text)
      : bytes_(text.begin(), text.end()), size_(text.size()) {
    bytes_.resize(size_ + kScanPadding, '"');
  }
  std::span<const std::uint8_t> text() const { return {bytes_.data(), size_}; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t size_;
};

/// One line as a scanner reported it: what the fields hold, or the fault.
struct SeenRecord {
  std::string body;
  std::vector<std::string> fields;  ///< "-" where absent
  Error error;
  std::uint32_t line = 0;  ///< of a fault
};

/// The record that `row` tells of.
inline SeenRecord seen_record(std::span<const std::uint8_t> text, const std::uint64_t* row,
                              std::size_t fields) {
  const auto part = [&](std::uint64_t start, std::uint64_t size) {
    return std::string(reinterpret_cast<const char*>(text.data() + start), size);
  };
  SeenRecord record;
  record.body = part(range_start(row[0]), range_size(row[0]));
  for (std::size_t field = 0; field < fields; ++field) {
    const std::uint64_t range = row[1 + presence_words(fields) + field];
    const bool present = (row[1 + field / 64] >> field % 64 & 1) != 0;
    record.fields.push_back(
        present ? part(range_start(row[0]) + range_start(range), range_size(range)) : "-");
  }
  return record;
}

/// Collects faults, each as a record.
class FaultList : public LineFaults {
 public:
  explicit FaultList(std::span<const std::uint8_t> text) : text_(text) {}
  void on_fault(const LineFault& fault) override {
    starts.push_back(fault.start);
    SeenRecord record;
    record.body.assign(reinterpret_cast<const char*>(text_.data() + fault.start), fault.size);
    record.error = fault.error;
    record.line = fault.line;
    records.push_back(record);
  }

  std::vector<std::uint32_t> starts;
  std::vector<SeenRecord> records;

 private:
  std::span<const std::uint8_t> text_;
};

}  // namespace sluice::json
