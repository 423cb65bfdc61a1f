#include "record/rfc3339.h"

#include <chrono>
#include <cstdio>
#include <limits>

namespace sluice {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// Takes what it wants from the front of a text, or fails for good.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') {
        failed_ = true;
        return 0;
      }
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  void one_of(std::string_view letters) {
    if (rest_.empty() || letters.find(rest_[0]) == letters.npos) {
      failed_ = true;
    } else {
      rest_.remove_prefix(1);
    }
  }
  char next() const { return rest_.empty() ? '\0' : rest_[0]; }
  bool is_digit() const { return next() >= '0' && next() <= '9'; }
  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

/// What follows the point: at least one digit.
std::int64_t read_fraction(Cursor& cursor) {
  if (cursor.next() != '.') return 0;
  cursor.one_of(".");
  std::int64_t ns = 0;
  std::int64_t worth = kSecondNs / 10;
  do {
    ns += worth * cursor.digits(1);
    worth /= 10;
  } while (cursor.is_digit());
  return ns;
}

/// Minutes east of Greenwich.
int read_offset(Cursor& cursor) {
  const char sign = cursor.next();
  if (sign == 'Z' || sign == 'z') {
    cursor.one_of("Zz");
    return 0;
  }
  cursor.one_of("+-");
  const int hours = cursor.digits(2);
  cursor.one_of(":");
  const int minutes = cursor.digits(2);
  if (hours > 23 || minutes > 59) cursor.one_of("");
  return (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
}

}  // namespace

Rfc3339 read_rfc3339(std::string_view text) {
  namespace chrono = std::chrono;
  Cursor cursor(text);
  const int year = cursor.digits(4);
  cursor.one_of("-");
  const int month = cursor.digits(2);
  cursor.one_of("-");
  const int day = cursor.digits(2);
  cursor.one_of("Tt ");
  const int hour = cursor.digits(2);
  cursor.one_of(":");
  const int minute = cursor.digits(2);
  cursor.one_of(":");
  const int second = cursor.digits(2);
  const std::int64_t fraction = read_fraction(cursor);
  const int offset = read_offset(cursor);
  const chrono::year_month_day date{chrono::year(year), chrono::month(static_cast<unsigned>(month)),
                                    chrono::day(static_cast<unsigned>(day))};
  if (cursor.failed() || !cursor.at_end() || !date.ok()) return {};
  if (hour > 23 || minute > 59 || second > 60) return {};
  const std::int64_t days = chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kSecondNs;
  if (seconds >= kMost || seconds <= -kMost) return {.verdict = Rfc3339::Verdict::out_of_range};
  return {.verdict = Rfc3339::Verdict::good, .ns = seconds * kSecondNs + fraction};
}

std::string write_rfc3339(std::int64_t ns) {
  namespace chrono = std::chrono;
  const std::int64_t days = (ns >= 0 ? ns : ns - (86'400 * kSecondNs - 1)) / (86'400 * kSecondNs);
  const std::int64_t within = ns - days * 86'400 * kSecondNs;
  const chrono::year_month_day date{chrono::sys_days(chrono::days(days))};
  const std::int64_t second = within / kSecondNs;
  char text[64];
  int size = std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%09d",
                           static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                           static_cast<unsigned>(date.day()), static_cast<int>(second / 3600),
                           static_cast<int>(second / 60 % 60), static_cast<int>(second % 60),
                           static_cast<int>(within % kSecondNs));
  while (text[size - 1] == '0') --size;
  if (text[size - 1] == '.') --size;
  return std::string(text, static_cast<std::size_t>(size)) + "Z";
}

}  // namespace sluice
