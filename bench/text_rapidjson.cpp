// The text benchmark's work by RapidJSON: everything checked, numbers correctly rounded (both are
// options there), in situ over a fresh copy of the text. Its memory is used again.

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <vector>

#include "text_jobs.h"

namespace {

using bench::answer_of;

constexpr unsigned kChecks =
    rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag;

enum : unsigned { kNumbers = 1, kStrings = 2, kOthers = 4 };

template <unsigned kWhat>
std::uint64_t sum_of(const rapidjson::Value& value) {
  std::uint64_t sum = 0;
  switch (value.GetType()) {
    case rapidjson::kArrayType:
      for (const auto& each : value.GetArray()) sum += sum_of<kWhat>(each);
      return sum;
    case rapidjson::kObjectType:
      for (const auto& member : value.GetObject()) sum += sum_of<kWhat>(member.value);
      return sum;
    case rapidjson::kStringType:
      return kWhat & kStrings ? value.GetStringLength() : 0;
    case rapidjson::kNumberType:
      return kWhat & kNumbers ? bench::sum_of(value.GetDouble()) : 0;
    case rapidjson::kNullType:
      return 0;
    default:
      return kWhat & kOthers ? bench::sum_of(value.GetBool()) : 0;
  }
}

constexpr unsigned kAll = kNumbers | kStrings | kOthers;

class Reader {
 public:
  explicit Reader(std::size_t size)
      : pool_(32 * size + (1 << 20)), copy_(size + 1), allocator_(pool_.data(), pool_.size()) {}

  /// `use(root)` with null when it is no JSON.
  template <class Use>
  auto read(std::string_view text, Use use) {
    std::memcpy(copy_.data(), text.data(), text.size());
    copy_[text.size()] = '\0';
    allocator_.Clear();
    rapidjson::Document document(&allocator_);
    document.ParseInsitu<kChecks>(copy_.data());
    return use(document.HasParseError() ? nullptr : &document);
  }

 private:
  std::vector<char> pool_;
  std::vector<char> copy_;
  rapidjson::MemoryPoolAllocator<> allocator_;
};

int serve_document(const std::string& text) {
  Reader reader(text.size());
  const std::uint64_t checked = reader.read(text, [](const rapidjson::Document* document) {
    return document == nullptr ? 0 : sum_of<kAll>(*document);
  });
  return bench::serve(text, [&](std::string_view all) {
    return reader.read(all, [&](const rapidjson::Document* document) {
      return answer_of(document != nullptr, checked);
    });
  });
}

template <unsigned kWhat>
int serve_sum(const std::string& text) {
  Reader reader(text.size());
  return bench::serve(text, [&](std::string_view all) {
    return reader.read(all, [](const rapidjson::Document* document) {
      return answer_of(document != nullptr, document == nullptr ? 0 : sum_of<kWhat>(*document));
    });
  });
}

/// Its events, without a tree.
int serve_check(const std::string& text) {
  rapidjson::Reader reader;
  return bench::serve(text, [&](std::string_view all) {
    rapidjson::BaseReaderHandler<> nothing;
    rapidjson::MemoryStream bytes(all.data(), all.size());
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
    return answer_of(!reader.Parse<kChecks>(stream, nothing).IsError(), 0);
  });
}

int serve_write(const std::string& text) {
  rapidjson::Document document;
  document.Parse<kChecks>(text.data(), text.size());
  rapidjson::StringBuffer buffer;
  const auto write = [&] {
    buffer.Clear();
    rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>,
                      rapidjson::CrtAllocator, rapidjson::kWriteValidateEncodingFlag>
        writer(buffer);
    return document.Accept(writer) ? buffer.GetSize() : 0;
  };
  const std::size_t size = write();
  rapidjson::Document again;
  again.Parse<kChecks>(buffer.GetString(), size);
  const std::uint64_t checked = sum_of<kAll>(again);
  return bench::serve(text, [&](std::string_view) { return answer_of(write() == size, checked); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string text = bench::load(argv[2]);
  const std::string_view job = argv[1];
  if (job == "check") return serve_check(text);
  if (job == "document") return serve_document(text);
  if (job == "numbers") return serve_sum<kNumbers>(text);
  if (job == "strings") return serve_sum<kStrings>(text);
  if (job == "write") return serve_write(text);
  return 2;
}
