// The reader benchmark's work by yyjson: a document a line, its memory used again for the next.

#include <yyjson.h>

#include <vector>

#include "worker.h"

namespace {

// The copy of yyjson that some packages carry has lost the flags of its read call; without flags
// both do the same. A template, so that only the call that exists is compiled.
template <class Size>
yyjson_doc* read_without_flags(char* text, Size size, yyjson_alc* allocator) {
  yyjson_read_err* const no_error = nullptr;
  if constexpr (requires { yyjson_read_opts(text, size, 0, allocator, no_error); }) {
    return yyjson_read_opts(text, size, 0, allocator, no_error);
  } else {
    return yyjson_read_opts(text, size, allocator, no_error);
  }
}

// Fresh results from warm memory: the pool is as large as the longest line can need and is reset,
// not freed, between documents.
class Reader {
 public:
  explicit Reader(std::size_t longest_line)
      : pool_(yyjson_read_max_memory_usage(longest_line, 0)) {}

  yyjson_doc* read(std::string_view line) {
    yyjson_alc_pool_init(&allocator_, pool_.data(), pool_.size());
    // The text is only read; the interface wants it writable for its other mode.
    return read_without_flags(const_cast<char*>(line.data()), line.size(), &allocator_);
  }

 private:
  std::vector<char> pool_;
  yyjson_alc allocator_{};
};

std::uint64_t three(yyjson_val* root) {
  return yyjson_get_len(yyjson_obj_get(root, "service")) +
         yyjson_get_len(yyjson_obj_get(root, "text")) +
         bench::thousandths(yyjson_get_real(yyjson_obj_get(root, "took_ms")));
}

std::uint64_t two(yyjson_val* root) {
  return yyjson_get_len(yyjson_obj_get(root, "tag")) +
         3 * yyjson_get_len(yyjson_obj_get(root, "body"));
}

std::uint64_t nothing(yyjson_val*) { return 0; }

template <class Fields>
bench::Answer read_all(Reader& reader, std::string_view text, Fields fields) {
  bench::Answer answer;
  bench::for_each_line(text, [&](std::uint64_t number, std::string_view line) {
    yyjson_doc* document = reader.read(line);
    if (document == nullptr) return answer.refuse(number);
    ++answer.accepted;
    answer.sum += fields(yyjson_doc_get_root(document));
    yyjson_doc_free(document);
  });
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string text = bench::load(argv[2]);
  std::size_t longest = 0;
  bench::for_each_line(text, [&](std::uint64_t, std::string_view line) {
    longest = line.size() > longest ? line.size() : longest;
  });
  Reader reader(longest);
  const std::string_view job = argv[1];
  const auto fields = job == "three" ? three : job == "check" ? nothing : two;
  return bench::serve(text, [&](std::string_view all) { return read_all(reader, all, fields); });
}
