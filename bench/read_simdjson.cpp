// The reader benchmark's work by simdjson's DOM, which checks all of a document: a document a line
// (a bad line costs itself), or with BATCH=1 its stream of documents (a bad one ends it).

#include <simdjson.h>

#include "worker.h"

namespace {

using simdjson::dom::element;

std::uint64_t size_of(element root, std::string_view name) {
  std::string_view value;
  return root[name].get(value) == simdjson::SUCCESS ? value.size() : 0;
}

std::uint64_t three(element root) {
  double took = 0;
  if (root["took_ms"].get(took) != simdjson::SUCCESS) took = 0;
  return size_of(root, "service") + size_of(root, "text") + bench::thousandths(took);
}

std::uint64_t two(element root) { return size_of(root, "tag") + 3 * size_of(root, "body"); }

std::uint64_t nothing(element) { return 0; }

template <class Fields>
bench::Answer read_lines(simdjson::dom::parser& parser, std::string_view text, Fields fields) {
  bench::Answer answer;
  bench::for_each_line(text, [&](std::uint64_t number, std::string_view line) {
    element root;
    // The text goes on behind the line, so the parser need not copy it to pad it.
    if (parser.parse(line.data(), line.size(), false).get(root) != simdjson::SUCCESS) {
      return answer.refuse(number);
    }
    ++answer.accepted;
    answer.sum += fields(root);
  });
  return answer;
}

template <class Fields>
bench::Answer read_batches(simdjson::dom::parser& parser, std::string_view text, Fields fields) {
  bench::Answer answer;
  simdjson::dom::document_stream stream;
  if (parser.parse_many(text.data(), text.size(), 1 << 20).get(stream) != simdjson::SUCCESS) {
    return answer;
  }
  for (auto document : stream) {
    element root;
    if (document.get(root) != simdjson::SUCCESS) break;
    ++answer.accepted;
    answer.sum += fields(root);
  }
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string text = bench::load(argv[2]);
  simdjson::dom::parser parser;
  const std::string_view job = argv[1];
  const auto fields = job == "three" ? three : job == "check" ? nothing : two;
  const bool batch = std::getenv("BATCH") != nullptr;
  return bench::serve(text, [&](std::string_view all) {
    return batch ? read_batches(parser, all, fields) : read_lines(parser, all, fields);
  });
}
