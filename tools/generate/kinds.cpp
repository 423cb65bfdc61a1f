#include "generate/kinds.h"

#include <iterator>

#include "generate/text.h"

namespace sluice::generate {
namespace {

// Sizes of a string's JSON text, its quotes included: a policy that rounds up to powers of two
// sees a body of 32 KiB as exactly that.
constexpr std::size_t kKiB = 1024;
constexpr std::size_t kTagSize = 56;
constexpr std::size_t kQuotes = 2;

constexpr std::size_t kMetadataRecordSize = 10'281 - 1;  // 512 of them with newlines: 5.02 MiB

// The members that `base`, `mixed` and `metadata` have in common; of one size in all records.
void append_head(std::string& out, Random& random, std::uint64_t index) {
  out += R"({"id":)";
  append_padded(out, 100'000 + index, 6);
  out += R"(,"tag":")";
  append_base64(out, random, kTagSize - kQuotes);
  out += R"(","site":"weir-)";
  append_padded(out, random.below(1'000), 3);
  out += R"(","meta":{"n":)";
  append_padded(out, 10'000 + random.below(90'000), 5);
}

void append_body_and_padding(std::string& out, Random& random, std::uint64_t index,
                             std::size_t body, std::size_t padding) {
  append_head(out, random, index);
  out += R"(},"body":")";
  append_prose(out, random, body - kQuotes);
  out += R"(","padding":")";
  if (padding > 0) append_base64(out, random, padding - kQuotes);
  out += "\"}";
}

void append_base(std::string& out, Random& random, std::uint64_t index) {
  append_body_and_padding(out, random, index, 32 * kKiB, 8 * kKiB);
}

// Every 16 records hold each pair of sizes once, in an order of their own: an odd factor and any
// summand permute the numbers below 16.
void append_mixed(std::string& out, Random& random, std::uint64_t index) {
  constexpr std::size_t kBodies[] = {1 * kKiB, 8 * kKiB, 32 * kKiB, 128 * kKiB};
  constexpr std::size_t kPaddings[] = {0, 1 * kKiB, 4 * kKiB, 16 * kKiB};
  const std::uint64_t order = Random(index / 16).next();
  const std::uint64_t pair = (index * (order | 1) + (order >> 8)) % 16;
  append_body_and_padding(out, random, index, kBodies[pair % 4], kPaddings[pair / 4]);
}

void append_metadata(std::string& out, Random& random, std::uint64_t index) {
  constexpr std::size_t kRest = 32;  // room for the longest member and what closes the record
  const std::size_t end = out.size() + kMetadataRecordSize;
  append_head(out, random, index);
  out += R"(},"body":")";
  append_prose(out, random, 512 - kQuotes);
  out += R"(","values":{"first":0)";
  for (std::uint64_t member = 0; out.size() + kRest < end; ++member) {
    out += R"(,"k)";
    append_padded(out, member, 3);
    out += random.one_in(8) ? R"(":true)" : "\":" + std::to_string(random.below(100));
  }
  out += R"(,"z":")";
  append_base64(out, random, end - out.size() - 3);
  out += "\"}}";
}

void append_log_call(std::string& out, Random& random) {
  constexpr const char* kVerbs[] = {"GET", "GET", "PUT", "POST"};
  constexpr const char* kCodes[] = {"200", "200", "204", "302", "409", "503"};
  out += R"({"verb":")";
  out += random.pick(kVerbs);
  out += R"(","target":"/v2/orders/)" + std::to_string(random.below(1'000'000));
  out += R"(","code":)";
  out += random.pick(kCodes);
  out += R"(,"took_ms":)";
  append_thousandths(out, random.below(900'000));
  out += R"(,"client":{"agent":"reader/2.4","path":[4,2,1,)" + std::to_string(random.below(100));
  out += "]}}";
}

void append_log(std::string& out, Random& random, std::uint64_t index) {
  constexpr const char* kSeverities[] = {"debug", "info", "info", "warn", "error"};
  out += R"({"time":")";
  append_time(out, index * 1'703);
  out += R"(","event":)" + std::to_string((std::uint64_t{1} << 53) + 1 + index);
  out += R"(,"severity":")";
  out += random.pick(kSeverities);
  out += R"(","service":"orders-)" + std::to_string(random.below(40));
  out += R"(","node":"n)";
  append_padded(out, random.below(300), 3);
  out += R"(.west.example","call":)";
  append_log_call(out, random);
  out += R"(,"text":")";
  append_message(out, random);
  out += random.one_in(3) ? R"(","retried":true,"parent":null})"
                          : R"(","retried":false,"parent":null})";
}

void append_small(std::string& out, Random& random, std::uint64_t index) {
  constexpr const char* kServices[] = {"intake", "pricing", "stock", "mail", "search", "archive"};
  out += R"({"trace":")";
  append_hex(out, random.next(), 16);
  out += R"(","time":")";
  append_time(out, index * 911);
  out += R"(","service":")";
  out += random.pick(kServices);
  out += R"(","pid":)" + std::to_string(1 + random.below(65'535));
  out += R"(,"took_ms":)";
  append_thousandths(out, random.below(300'000));
  out += R"(,"user":{"id":)" + std::to_string(random.below(1'000'000'000));
  out += R"(,"span":")";
  append_hex(out, random.next(), 8);
  out += random.one_in(10) ? R"(","new":true},"status":)" : R"(","new":false},"status":)";
  out += std::to_string(200 + 100 * random.below(4));
  out += R"(,"text":")";
  append_prose(out, random, 25 + random.below(39));
  out += "\"}";
}

constexpr Kind kKinds[] = {
    {"base", "32 KiB body, 56-byte tag, 8 KiB padding; 41,093 bytes each", 1'024, append_base},
    {"mixed", "bodies of 1, 8, 32, 128 KiB with padding of 0, 1, 4, 16 KiB", 1'024, append_mixed},
    {"metadata", "about 946 small members, 512-byte body; 10,281 bytes each", 512, append_metadata},
    {"log", "nested log lines, mean 394 bytes, 73 tokens, 64-bit id, escapes", 600'000, append_log},
    {"small", "flat records, mean 235 bytes", 1'000'000, append_small},
};

}  // namespace

std::span<const Kind> all_kinds() { return kKinds; }

const Kind* find_kind(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace sluice::generate
