#pragma once

#include <cstdint>
#include <string>

#include "cli/side_file.h"
#include "sources/refused.h"

namespace sluice {

/// Counts what is refused, says so on standard error (the first few in words, the rest as a
/// number), and keeps the records' bytes in a file where one is asked for.
class RefusalLog final : public Refusals {
 public:
  /// `dead_letters` may be a file that is not open: nothing is kept then.
  explicit RefusalLog(SideFile& dead_letters) : file_(dead_letters) {}

  void on_refused(const RefusedRecord& record) override;
  void on_more(std::span<const std::uint8_t> bytes, bool last) override;
  void on_unreadable(const std::string& input, const Error& error) override;
  bool keeps_bytes() const override { return file_.is_open(); }
  /// Says how many were not put into words, and finishes the file. False when the file is not
  /// whole.
  bool close();

  std::uint64_t refused() const { return refused_; }
  std::uint64_t unreadable() const { return unreadable_; }

 private:
  void keep(std::span<const std::uint8_t> bytes);

  SideFile& file_;
  bool file_failed_ = false;
  std::uint64_t refused_ = 0;
  std::uint64_t unreadable_ = 0;
};

}  // namespace sluice
