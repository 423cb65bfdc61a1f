// The text benchmark's work by Sluice. SLUICE_KERNEL forces a kernel.

#include <cstdio>

#include "document/document.h"
#include "document/locate.h"
#include "json/checker.h"
#include "text_jobs.h"
#include "typed/read.h"
#include "typed/write.h"
#include "typed_documents.h"
#include "writer/write_value.h"

namespace {

namespace json = sluice::json;
using bench::Answer;
using bench::answer_of;

std::uint64_t sum_of_all(json::Value value) {
  std::uint64_t sum = 0;
  switch (value.type()) {
    case json::Type::boolean:
      return bench::sum_of(*value.as_bool());
    case json::Type::number:
      return bench::sum_of(*value.as_double());
    case json::Type::string:
      return value.as_string()->size();
    case json::Type::array:
      for (const json::Value each : value.elements()) sum += sum_of_all(each);
      return sum;
    case json::Type::object:
      for (const auto& [key, each] : value.members()) sum += sum_of_all(each);
      return sum;
    default:
      return 0;
  }
}

/// Every scalar of one kind.
std::uint64_t sum_of_numbers(json::Value value) {
  std::uint64_t sum = 0;
  if (value.is_number()) return bench::sum_of(*value.as_double());
  for (const json::Value each : value.elements()) sum += sum_of_numbers(each);
  for (const auto& [key, each] : value.members()) sum += sum_of_numbers(each);
  return sum;
}

std::uint64_t sum_of_strings(json::Value value) {
  std::uint64_t sum = 0;
  if (value.is_string()) return value.as_string()->size();
  for (const json::Value each : value.elements()) sum += sum_of_strings(each);
  for (const auto& [key, each] : value.members()) sum += sum_of_strings(each);
  return sum;
}

template <class T>
int serve_typed(const std::string& text) {
  json::Reader reader;
  T once;
  const bool good = reader.read(text, once).has_value();
  const std::uint64_t checked = bench::sum_of_typed(once);
  return bench::serve(text, [&](std::string_view all) {
    T value;
    return answer_of(reader.read(all, value).has_value() && good, checked);
  });
}

int serve_document(const std::string& text) {
  json::Document document = *json::Document::parse(std::string_view("0"));
  const std::uint64_t checked =
      document.parse_again(text) ? sum_of_all(document.root()) : std::uint64_t{0};
  return bench::serve(text, [&](std::string_view all) {
    return answer_of(document.parse_again(all).has_value(), checked);
  });
}

/// Every number and string converted while the text is read.
json::Document document_at_once() {
  return *json::Document::parse(std::string_view("0"), {.decode = json::Decode::at_once});
}

int serve_converted(const std::string& text) {
  json::Document document = document_at_once();
  const std::uint64_t checked =
      document.parse_again(text) ? sum_of_all(document.root()) : std::uint64_t{0};
  return bench::serve(text, [&](std::string_view all) {
    return answer_of(document.parse_again(all).has_value(), checked);
  });
}

template <class Sum>
int serve_sum(const std::string& text, json::Document document, Sum sum) {
  return bench::serve(text, [&](std::string_view all) {
    const bool good = document.parse_again(all).has_value();
    return answer_of(good, good ? sum(document.root()) : 0);
  });
}

int serve_check(const std::string& text) {
  alignas(64) static std::byte streams[json::kStreamBytes];
  json::Checker checker({}, streams);
  return bench::serve(text, [&](std::string_view all) {
    checker.restart();
    const bool good =
        checker.feed({reinterpret_cast<const std::uint8_t*>(all.data()), all.size()}) &&
        checker.finish();
    return answer_of(good, 0);
  });
}

/// `write(out)` closes the output. The memory of the string is used again.
template <class Write>
int serve_write(const std::string& text, Write write) {
  std::string written;
  const auto again = [&] {
    written.clear();
    json::StringOutput out(written);
    return write(out);
  };
  const bool good = again().has_value();
  const std::string once = written;
  const auto document = json::Document::parse(once);
  Answer answer = answer_of(good && document, document ? sum_of_all(document->root()) : 0);
  answer.refused_lines = once.size();
  return bench::serve(text, [&](std::string_view) {
    return again() && written.size() == once.size() ? answer : Answer{};
  });
}

int serve_write_document(const std::string& text) {
  const json::Document document = *json::Document::parse(text);
  return serve_write(text, [&](json::Output& out) {
    json::write_value(out, document.root());
    return out.close();
  });
}

template <class T>
int serve_write_typed(const std::string& text) {
  const auto value = json::read<T>(text);
  if (!value) return 1;
  return serve_write(text, [&](json::Output& out) { return json::write_to(out, *value); });
}

/// What line and column a fault has; `read(text)` gives a Result.
template <class Read>
int serve_fault(const std::string& text, Read read) {
  return bench::serve(text, [&](std::string_view all) {
    Answer answer;
    const auto done = read(all);
    answer.accepted = done.has_value();
    if (done) return answer;
    const json::Location place = json::locate(all, done.error().offset);
    answer.sum = 1000 * place.line + place.column;
    return answer;
  });
}

int serve_fault_document(const std::string& text) {
  json::Document document = *json::Document::parse(std::string_view("0"));
  return serve_fault(text, [&](std::string_view all) { return document.parse_again(all); });
}

template <class T>
int serve_typed_job(std::string_view job, const std::string& text) {
  if (job == "typed") return serve_typed<T>(text);
  if (job == "write_typed") return serve_write_typed<T>(text);
  if (job != "fault_typed") return 2;
  json::Reader reader;
  return serve_fault(text, [&](std::string_view all) {
    T value;
    return reader.read(all, value);
  });
}

int serve_typed_job(std::string_view job, const std::string& text) {
  const auto has = [&](const char* name) { return text.find(name) != std::string::npos; };
  if (has("\"statuses\"")) return serve_typed_job<bench::twitter::Timeline>(job, text);
  if (has("\"areaNames\"")) return serve_typed_job<bench::citm::Catalog>(job, text);
  return serve_typed_job<bench::canada::Collection>(job, text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string text = bench::load(argv[2]);
  const std::string_view job = argv[1];
  if (job == "check") return serve_check(text);
  if (job == "on_demand") return serve_document(text);
  if (job == "converted") return serve_converted(text);
  if (job == "numbers") return serve_sum(text, document_at_once(), sum_of_numbers);
  if (job == "strings")
    return serve_sum(text, *json::Document::parse(std::string_view("0")), sum_of_strings);
  if (job == "brief") return serve_typed<bench::twitter::BriefTimeline>(text);
  if (job == "write") return serve_write_document(text);
  if (job == "fault") return serve_fault_document(text);
  return serve_typed_job(job, text);
}
