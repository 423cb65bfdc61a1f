// What a small edit of a document of 100 MB costs, beside reading the document again.
//
//     edit_sluice ROUNDS
//     stdout, a line a round: seconds to read the document, to patch it in the middle, to merge a
//     member into it, to write it out, and to read what was written; then bytes of the text, of
//     what is known of it (the index), and of the edits

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory_resource>
#include <string>
#include <string_view>

#include "base/check.h"
#include "edit/edited_document.h"

namespace {

namespace json = sluice::json;

constexpr std::size_t kTextBytes = 100'000'000;

/// Memory that knows how much is taken.
class Counted final : public std::pmr::memory_resource {
 public:
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    bytes_ += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    bytes_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t bytes_ = 0;
};

struct Made {
  std::string text;
  std::size_t records = 0;
};

Made make_text() {
  Made made;
  made.text = R"({"source":"edit_sluice","records":[)";
  made.text.reserve(kTextBytes + 1000);
  for (; made.text.size() < kTextBytes; ++made.records) {
    const std::string number = std::to_string(made.records * 7919 % 1'000'003);
    made.text += made.records == 0 ? "" : ",";
    made.text += R"({"id":)" + number + R"(,"service":"checkout-)" + number.substr(0, 1) +
                 R"(","tags":["blue","eu-)" + number +
                 R"("],"text":"the basket was changed by its owner, and then again","took_ms":)" +
                 number.substr(0, 2) + ".25,\"next\":null}";
  }
  made.text += R"(],"version":3})";
  return made;
}

class Stopwatch {
 public:
  double seconds() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> taken = now - start_;
    start_ = now;
    return taken.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void run_round(const Made& made, const json::Value& patch, const json::Value& merge_patch) {
  Counted index_memory;
  Counted edit_memory;
  Stopwatch watch;
  const auto document = json::Document::parse(made.text, {.memory = &index_memory});
  const double read = watch.seconds();
  SLUICE_CHECK(document.has_value());
  json::EditedDocument edited(*document, &edit_memory);
  watch.seconds();
  SLUICE_CHECK(edited.apply(patch).has_value());
  const double patched = watch.seconds();
  SLUICE_CHECK(edited.merge(merge_patch).has_value());
  const double merged = watch.seconds();
  const auto text = edited.text();
  const double written = watch.seconds();
  const auto again = json::Document::parse(*text);
  const double read_again = watch.seconds();
  const std::string middle = "/records/" + std::to_string(made.records / 2) + "/took_ms";
  SLUICE_CHECK(*again->at(middle).as_int64() == -1 && *again->at("/version").as_int64() == 4);
  std::printf("%.9f %.9f %.9f %.9f %.9f %zu %zu %zu\n", read, patched, merged, written, read_again,
              made.text.size(), index_memory.bytes(), edit_memory.bytes());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const Made made = make_text();
  const std::string record = "/records/" + std::to_string(made.records / 2);
  const std::string patch = R"([{"op":"test","path":")" + record + R"(/next","value":null},)" +
                            R"({"op":"replace","path":")" + record + R"(/took_ms","value":-1}])";
  const std::string merge_patch = R"({"version":4,"owner":null})";
  const auto patch_document = json::Document::parse(patch);
  const auto merge_document = json::Document::parse(merge_patch);
  for (int left = std::atoi(argv[1]); left > 0; --left) {
    run_round(made, patch_document->root(), merge_document->root());
  }
}
