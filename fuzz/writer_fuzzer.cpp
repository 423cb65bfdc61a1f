// Writing: any bytes as a string, a text as a document, and bytes as calls of a Writer. What comes
// out is valid, reads back as what it was, and is the same on every kernel and in any room.

#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "fuzz_support.h"
#include "kernel/kernel.h"
#include "writer/write_value.h"
#include "writer/writer.h"

using namespace sluice;
using namespace sluice::json;

namespace {

Text bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void expect_valid(std::string_view text) {
  ScanOptions options;
  options.max_depth = 1 << 20;
  if (plain_verdict(bytes_of(text), options).code != ErrorCode::none) {
    fail("not valid", bytes_of(text));
  }
}

/// Empty when it was refused.
std::string written(std::string_view text, IllFormed ill_formed) {
  std::string result;
  StringOutput out(result);
  write_string(out, text, ill_formed);
  return out.close() ? result : std::string();
}

void try_string(std::string_view text) {
  const std::string strict = written(text, IllFormed::refuse);
  const std::string replaced = written(text, IllFormed::replace);
  expect_valid(replaced);
  if (strict.empty()) return;
  if (strict != replaced) fail("replaced what was well formed", bytes_of(text));
  const Result<Document> document = Document::parse(strict);
  expect_consistent(document.has_value(), "a document");
  if (document->root().as_string().value() != text) fail("another string", bytes_of(text));
}

void try_document(std::string_view text) {
  const Result<Document> document = Document::parse(text);
  if (!document) return;
  const std::string compact = write(document->root()).value();
  const std::string indented = write(document->root(), {.indent = 1}).value();
  expect_valid(compact);
  expect_valid(indented);
  const Result<Document> again = Document::parse(indented);
  if (write(again->root()).value() != compact) fail("not the same twice", bytes_of(text));
  std::string copy(text);
  const Result<Document> in_place = Document::parse_in_place(copy);
  expect_valid(write(in_place->root()).value());
}

/// Calls in an order that may be: what a byte asks for and cannot be is left out.
class Calls {
 public:
  explicit Calls(Writer& writer) : writer_(writer) {}

  void run(std::string_view program) {
    open('[');
    for (std::size_t at = 0; at < program.size(); ++at) step(program, at);
    while (!open_.empty()) close();
  }

 private:
  void open(char bracket) {
    bracket == '[' ? writer_.begin_array() : writer_.begin_object();
    open_.push_back(bracket);
  }
  void close() {
    open_.back() == '[' ? writer_.end_array() : writer_.end_object();
    open_.pop_back();
  }
  void step(std::string_view program, std::size_t at) {
    const auto byte = static_cast<unsigned char>(program[at]);
    if (byte % 8 == 0) {
      if (open_.size() > 1) close();
      return;
    }
    if (open_.back() == '{') writer_.key(program.substr(at, byte % 16));
    switch (byte % 8) {
      case 1:
        return open('[');
      case 2:
        return open('{');
      case 3:
        return writer_.value(program.substr(at, byte));
      case 4:
        return writer_.value(byte * 0.37);
      case 5:
        return writer_.value(byte * -1234567);
      case 6:
        return writer_.value(byte > 100);
      default:
        return writer_.null();
    }
  }

  Writer& writer_;
  std::vector<char> open_;
};

void try_calls(std::string_view program, std::uint32_t indent, std::size_t room_size) {
  const WriteOptions options{indent, IllFormed::replace, 1 << 20};
  std::string text;
  StringOutput out(text);
  Writer writer(out, options);
  Calls(writer).run(program);
  expect_consistent(writer.close().has_value(), "writing to a string");
  expect_valid(text);
  std::vector<char> room(room_size);
  SpanOutput fixed(room);
  Writer again(fixed, options);
  Calls(again).run(program);
  const bool fits = again.close().has_value();
  expect_consistent(fits == (text.size() <= room_size), "what fits is written");
  expect_consistent(fixed.text() == text.substr(0, room_size), "the beginning is written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const kernel::Kernel* kernel : kernel::supported()) {
    expect_consistent(kernel::select(kernel->name).has_value(), "a supported kernel can be had");
    try_string(text);
    try_document(text);
  }
  if (size < 2) return 0;
  try_calls(text.substr(2), data[0] % 4, data[1] * std::size_t{64});
  return 0;
}
