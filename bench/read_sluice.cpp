// The reader benchmark's work by Sluice's LineScanner, in runs whose rows are used while the text
// is in the cache still. Of records of 41 KB, a run of a few would cost much in looking backwards
// for its last newline. SLUICE_KERNEL forces a kernel; `read_sluice kernels` names those of this
// machine.

#include <memory>
#include <vector>

#include "json/line_scanner.h"
#include "json/unescape.h"
#include "kernel/kernel.h"
#include "number/read.h"
#include "worker.h"

namespace {

namespace json = sluice::json;
using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kRun = 256 * 1024;
constexpr std::size_t kRunOfLongRecords = 1024 * 1024;
// Every accepted line takes at least a character and its newline, so that rows never run out.
constexpr std::size_t kRowsOfRun = kRunOfLongRecords / 2;

struct Job {
  std::vector<const char*> pointers;
  std::uint64_t (*sum)(Bytes text, std::span<const std::uint64_t> row);
  std::size_t run = kRun;
};

// Field `field` of a row, of a selection of fewer than 64 fields; empty where it is absent.
Bytes field_of(Bytes text, std::span<const std::uint64_t> row, std::size_t field) {
  const std::uint64_t range = row[2 + field];
  return text.subspan(json::range_start(row[0]) + json::range_start(range),
                      json::range_size(range));
}

std::uint64_t size_of_string(Bytes text, std::span<const std::uint64_t> row, std::size_t field) {
  const std::size_t quoted = field_of(text, row, field).size();
  return quoted == 0 ? 0 : quoted - 2;
}

// Decodes all of the string, as a sink that writes text does.
std::uint64_t decoded_size(Bytes text, std::span<const std::uint64_t> row, std::size_t field) {
  static std::vector<std::uint8_t> scratch(256 * 1024);
  const Bytes quoted = field_of(text, row, field);
  return json::unescape(quoted.subspan(1, quoted.size() - 2), scratch).written;
}

std::uint64_t sum_nothing(Bytes, std::span<const std::uint64_t>) { return 0; }

std::uint64_t sum_three(Bytes text, std::span<const std::uint64_t> row) {
  const char* const digits = reinterpret_cast<const char*>(field_of(text, row, 2).data());
  const char* const text_end = reinterpret_cast<const char*>(text.data() + text.size());
  const double took = sluice::number::to_double(digits, text_end).value_or(0);
  return size_of_string(text, row, 0) + size_of_string(text, row, 1) + bench::thousandths(took);
}

std::uint64_t sum_two(Bytes text, std::span<const std::uint64_t> row) {
  return size_of_string(text, row, 0) + 3 * size_of_string(text, row, 1);
}

std::uint64_t sum_two_decoded(Bytes text, std::span<const std::uint64_t> row) {
  return decoded_size(text, row, 0) + 3 * decoded_size(text, row, 1);
}

Job find_job(std::string_view name) {
  if (name == "three") return {{"/service", "/text", "/took_ms"}, sum_three};
  if (name == "two") return {{"/tag", "/body"}, sum_two, kRunOfLongRecords};
  if (name == "two_decoded") return {{"/tag", "/body"}, sum_two_decoded, kRunOfLongRecords};
  return {{}, sum_nothing};
}

class Faults : public json::LineFaults {
 public:
  Faults(bench::Answer& answer, std::uint64_t lines_before)
      : answer_(answer), lines_before_(lines_before) {}
  void on_fault(const json::LineFault& fault) override {
    answer_.refuse(lines_before_ + fault.line);
  }

 private:
  bench::Answer& answer_;
  std::uint64_t lines_before_;
};

// The next run: whole lines, at most `size` bytes unless the first line is longer.
Bytes next_run(Bytes text, std::size_t size) {
  if (text.size() <= size) return text;
  const void* last = memrchr(text.data(), '\n', size);
  if (last == nullptr) last = std::memchr(text.data() + size, '\n', text.size() - size);
  if (last == nullptr) return text;
  return text.first(static_cast<std::size_t>(static_cast<const std::uint8_t*>(last) - text.data()) +
                    1);
}

bench::Answer read_all(json::LineScanner& scanner, const Job& job, Bytes text,
                       std::span<std::uint64_t> rows) {
  const std::size_t words = json::row_words(job.pointers.size());
  bench::Answer answer;
  std::uint64_t lines = 0;
  while (!text.empty()) {
    Faults faults(answer, lines);
    const auto done = scanner.scan(next_run(text, job.run), rows, faults);
    for (std::size_t row = 0; row < done.rows; ++row) {
      answer.sum += job.sum(text, rows.subspan(row * words, words));
    }
    answer.accepted += done.rows;
    lines += done.lines;
    text = text.subspan(done.consumed);
  }
  return answer;
}

int print_kernels() {
  for (const auto* kernel : sluice::kernel::supported()) std::puts(kernel->name);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "kernels") return print_kernels();
  if (argc != 3) return 2;
  const std::string text = bench::load(argv[2]);
  const Job job = find_job(argv[1]);
  std::vector<json::Pointer> pointers;
  for (const char* pointer : job.pointers) {
    pointers.push_back(json::Pointer::parse(pointer).value());
  }
  const json::Selection selection(std::move(pointers));
  alignas(64) static std::byte streams[json::kStreamBytes];
  json::LineScanner scanner(selection, {}, streams);
  std::vector<std::uint64_t> rows(kRowsOfRun * json::row_words(selection.size()));
  const Bytes bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return bench::serve(text, [&](std::string_view) { return read_all(scanner, job, bytes, rows); });
}
