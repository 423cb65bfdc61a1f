// A body and the query in front of it: accepted exactly when a document of it, walked member by
// member, holds what is declared; then the record has the document's values, and what goes on is
// JSON with what was added. Faults are in order and lie in the body; a fault of syntax is the
// document's.

#include <cstdio>
#include <cstdlib>
#include <set>

#include "document/document.h"
#include "record/declarations_for_tests.h"
#include "record/rfc3339.h"
#include "record/shape_scanner.h"
#include "record/shaped_record.h"

using namespace sluice;

namespace {

enum FieldNumber : std::uint32_t {
  kText,
  kInteger,
  kSmall,
  kReal,
  kTruth,
  kTime,
  kAny,
  kList,
  kZip
};

const Shape& shape() {
  static const Shape kShape = [] {
    FieldDeclaration text = field("t", FieldType::text);
    text.max_bytes = 8;
    FieldDeclaration small = optional(field("s", FieldType::u32));
    small.max = "7";
    FieldDeclaration many = optional(list(field("l", FieldType::i64)));
    many.max_items = 3;
    return *Shape::make(
        {text, field("i", FieldType::i64), small, optional(field("r", FieldType::f64)),
         optional(field("b", FieldType::boolean)), optional(field("w", FieldType::time)),
         optional(field("j", FieldType::json)), many,
         group("g", {optional(field("zip", FieldType::u32))})});
  }();
  return kShape;
}

bool is_null(const json::Value& value) { return value.is_null(); }

bool fits(std::string_view name, const json::Value& value) {
  if (name == "t") {
    const auto text = value.as_string();
    return text && text->size() <= 8;
  }
  if (name == "i") return value.as_int64().has_value();
  if (name == "s") return is_null(value) || (value.as_uint64() && *value.as_uint64() <= 7);
  if (name == "r") return is_null(value) || (value.is_number() && value.as_double());
  if (name == "b") return is_null(value) || value.is_bool();
  if (name == "w") {
    return is_null(value) || (value.is_string() &&
                              read_rfc3339(*value.as_string()).verdict == Rfc3339::Verdict::good);
  }
  if (name == "j") return true;
  if (name == "l") {
    if (is_null(value)) return true;
    if (!value.is_array() || value.size() > 3) return false;
    for (const json::Value element : value.elements()) {
      if (!element.as_int64()) return false;
    }
    return true;
  }
  return false;
}

bool group_fits(const json::Value& value) {
  if (is_null(value)) return true;
  if (!value.is_object()) return false;
  std::set<std::string> seen;
  for (const auto& [key, zip] : value.members()) {
    const std::string name(key);
    if (name != "zip" || !seen.insert(name).second) return false;
    if (!is_null(zip) && !(zip.as_uint64() && *zip.as_uint64() <= 0xFFFFFFFF)) return false;
  }
  return true;
}

bool record_fits(const json::Value& root) {
  if (!root.is_object()) return false;
  std::set<std::string> seen;
  for (const auto& [key, value] : root.members()) {
    const std::string name(key);
    if (!seen.insert(name).second) return false;
    if (!(name == "g" ? group_fits(value) : fits(name, value))) return false;
  }
  return seen.contains("t") && seen.contains("i");
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void check_values(const json::Document& document, const ShapedRecord& record) {
  std::string memory;
  expect(record.text(kText, memory) == *document["t"].as_string(), "the text");
  expect(record.i64(kInteger) == *document["i"].as_int64(), "the integer");
  const auto real = document["r"];
  expect(record.has(kReal) == (real.exists() && !real.is_null()), "presence of the real");
  if (record.has(kReal)) expect(record.f64(kReal) == *real.as_double(), "the real");
  const auto any = document["j"];
  expect(record.has(kAny) == (any.exists() && !any.is_null()), "presence of the json");
  if (record.has(kAny)) expect(record.raw(kAny) == any.raw(), "the json");
}

void check_faults(const ShapeScanner& scanner, std::size_t size) {
  expect(!scanner.faults().empty() && scanner.faults().size() <= 16, "how many faults");
  std::uint64_t before = 0;
  for (const ShapeFault& fault : scanner.faults()) {
    expect(fault.offset >= before && fault.offset <= size, "faults are in order");
    expect(!fault.detail.empty(), "a fault has a sentence");
    before = fault.offset;
  }
}

void check_completed(const ShapeScanner& scanner, std::string_view body) {
  std::string text;
  std::size_t at = 0;
  for (const Insertion& each : scanner.insertions()) {
    expect(each.offset >= at && each.offset <= body.size(), "insertions are in order");
    text.append(body.substr(at, each.offset - at)).append(each.text);
    at = each.offset;
  }
  text.append(body.substr(at));
  ShapeScanner again(shape(), {}, std::pmr::get_default_resource());
  const bool good =
      again.scan({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "");
  expect(good && again.insertions().empty(), "a completed record needs nothing more");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ShapeScanner scanner(shape(), {}, std::pmr::get_default_resource());
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  const std::string_view query = line == input.npos ? "" : input.substr(0, line);
  const std::string_view body = line == input.npos ? input : input.substr(line + 1);
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(body.data()),
                                            body.size());
  if (scanner.scan(bytes, query)) {
    check_completed(scanner, body);
  } else {
    check_faults(scanner, body.size());
  }
  const bool good = scanner.scan(bytes, "");
  const auto document = json::Document::parse(body);
  if (!document) {
    expect(!good, "what is no JSON is refused");
    const ShapeFault& last = scanner.faults().back();
    expect(last.code == document.error().code && last.offset == document.error().offset,
           "the fault of syntax is the document's");
    return 0;
  }
  expect(good == record_fits(document->root()), "accepted as a walk over the document says");
  if (good) check_values(*document, {shape(), scanner.record(), bytes});
  return 0;
}
