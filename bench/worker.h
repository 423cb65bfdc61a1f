#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

/// The frame of a program that reads NDJSON for the reader benchmark, whichever library does it.
/// The driver starts one worker a system, tells them in turn to work, and compares the answers.
///
///     worker JOB FILE      JOB: check | three | two | two_decoded
///     stdin  "N\n"         do the job N times over the file's text
///     stdout "NANOSECONDS ACCEPTED REFUSED SUM_OF_REFUSED_LINES SUM\n"
///
/// SUM is over the accepted records: of `three` size of /service + size of /text + /took_ms in
/// thousandths, of `two` size of /tag + 3 x size of /body; of `check` 0. Sizes are those of decoded
/// text where the library decodes, else of what stands between the quotes; the driver knows both.
namespace bench {

struct Answer {
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t refused_lines = 0;  ///< sum of the refused lines' numbers, counted from 0
  std::uint64_t sum = 0;

  friend bool operator==(const Answer&, const Answer&) = default;

  void refuse(std::uint64_t line) {
    ++refused;
    refused_lines += line;
  }
};

/// Readable bytes behind the text; the most that any of the libraries asks for, and more.
inline constexpr std::size_t kPadding = 256;

inline std::string load(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) std::exit(2);
  std::string text;
  std::fseek(file, 0, SEEK_END);
  const auto size = static_cast<std::size_t>(std::ftell(file));
  std::rewind(file);
  text.reserve(size + kPadding);
  text.resize(size);
  if (std::fread(text.data(), 1, size, file) != size) std::exit(2);
  std::fclose(file);
  return text;
}

inline std::uint64_t thousandths(double value) {
  return static_cast<std::uint64_t>(value * 1000 + 0.5);
}

/// Calls `line(number, text)` for every line of `text`, without its newline.
template <class F>
void for_each_line(std::string_view text, F line) {
  std::uint64_t number = 0;
  for (std::size_t start = 0; start < text.size(); ++number) {
    const void* newline = std::memchr(text.data() + start, '\n', text.size() - start);
    const std::size_t end =
        newline == nullptr
            ? text.size()
            : static_cast<std::size_t>(static_cast<const char*>(newline) - text.data());
    line(number, text.substr(start, end - start));
    start = end + 1;
  }
}

/// `job(text)` does the work once and returns the Answer. Two passes that disagree end the worker.
template <class F>
int serve(const std::string& text, F job) {
  const Answer first = job(text);
  unsigned long times = 0;
  while (std::scanf("%lu", &times) == 1) {
    const auto start = std::chrono::steady_clock::now();
    for (unsigned long i = 0; i < times; ++i) {
      if (!(job(text) == first)) return 1;
    }
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - start;
    std::printf("%lld %llu %llu %llu %llu\n", static_cast<long long>(taken.count()),
                static_cast<unsigned long long>(first.accepted),
                static_cast<unsigned long long>(first.refused),
                static_cast<unsigned long long>(first.refused_lines),
                static_cast<unsigned long long>(first.sum));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace bench
