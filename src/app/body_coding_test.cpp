#include "app/body_coding.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice {
namespace {

std::span<const std::uint8_t> bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The bytes that hexadecimal digits stand for.
std::string from_hex(std::string_view digits) {
  std::string text;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    text += static_cast<char>(std::stoi(std::string(digits.substr(at, 2)), nullptr, 16));
  }
  return text;
}

// By Python's gzip.compress(b'{"name":"k"}', mtime=0), and by `zstd --no-check` of the same.
const std::string kGzip =
    from_hex("1f8b0800000000000203ab56ca4bcc4d55b252ca56aa050040aee1800c000000");
const std::string kZstd = from_hex("28b52ffd00586100007b226e616d65223a226b227d");

struct Decoding {
  Result<DecodedBody> run(Coding coding, std::string_view body, std::size_t most) {
    return decode_body(coding, bytes(body), most, 64, pool);
  }
  std::string text(Coding coding, std::string_view body, std::size_t most = 1000) {
    const auto decoded = run(coding, body, most);
    if (!decoded) return error_name(decoded.error().code);
    EXPECT_GE(decoded->buffer.capacity(), decoded->size + 64);
    return {reinterpret_cast<const char*>(decoded->buffer.data()), decoded->size};
  }
  Budget budget{16 * 1024 * 1024};
  Pool pool{budget, {}};
};

TEST(BodyCoding, NamesAreKnownInAnyCase) {
  EXPECT_EQ(coding_of(""), Coding::identity);
  EXPECT_EQ(coding_of("Identity"), Coding::identity);
  EXPECT_EQ(coding_of("GZIP"), Coding::gzip);
  EXPECT_EQ(coding_of("x-gzip"), Coding::gzip);
  EXPECT_EQ(coding_of("zstd"), Coding::zstd);
  EXPECT_EQ(coding_of("br"), std::nullopt);
  EXPECT_EQ(coding_of("gzip, gzip"), std::nullopt);
}

TEST(BodyCoding, DecodesWhatOthersWrote) {
  Decoding decoding;
  EXPECT_EQ(decoding.text(Coding::gzip, kGzip), R"({"name":"k"})");
  EXPECT_EQ(decoding.text(Coding::zstd, kZstd), R"({"name":"k"})");
  EXPECT_EQ(decoding.budget.used(Region::parser), 0u);
}

TEST(BodyCoding, SeveralMembersAreOneText) {
  const std::string twice = R"({"name":"k"}{"name":"k"})";
  // By `zstd --no-check -c FILE`, which tells the size; and a frame of 4 bytes to be skipped.
  const std::string sized = from_hex("28b52ffd200c610000") + R"({"name":"k"})";
  const std::string skipped = from_hex("502a4d1804000000") + "skip";
  Decoding decoding;
  EXPECT_EQ(decoding.text(Coding::gzip, kGzip + kGzip, 24), twice);
  EXPECT_EQ(decoding.text(Coding::gzip, kGzip + kGzip, 23), "body_limit");
  EXPECT_EQ(decoding.text(Coding::gzip, kGzip + kGzip.substr(0, 20)), "body_coding");
  for (const std::string& second : {kZstd, sized, skipped + sized, sized + skipped}) {
    EXPECT_EQ(decoding.text(Coding::zstd, kZstd + second, 24), twice);
    EXPECT_EQ(decoding.text(Coding::zstd, kZstd + second, 23), "body_limit");
    EXPECT_EQ(decoding.text(Coding::zstd, kZstd + second.substr(0, 9)), "body_coding");
  }
  EXPECT_EQ(decoding.text(Coding::zstd, skipped), "");
}

TEST(BodyCoding, TheLimitIsThatOfWhatComesOut) {
  Decoding decoding;
  EXPECT_EQ(decoding.text(Coding::gzip, kGzip, 12), R"({"name":"k"})");
  EXPECT_EQ(decoding.text(Coding::gzip, kGzip, 11), "body_limit");
  EXPECT_EQ(decoding.text(Coding::zstd, kZstd, 12), R"({"name":"k"})");
  EXPECT_EQ(decoding.text(Coding::zstd, kZstd, 11), "body_limit");
}

TEST(BodyCoding, CutSpoiledOrFollowedByMoreIsRefused) {
  Decoding decoding;
  for (const auto& [coding, good] : {std::pair{Coding::gzip, kGzip}, {Coding::zstd, kZstd}}) {
    for (std::size_t size = 0; size < good.size(); ++size) {
      EXPECT_EQ(decoding.text(coding, good.substr(0, size)), "body_coding") << size;
    }
    EXPECT_EQ(decoding.text(coding, good + "x"), "body_coding");
    EXPECT_EQ(decoding.text(coding, "{\"name\":\"k\"}"), "body_coding");
  }
  std::string spoiled = kGzip;
  spoiled[12] = static_cast<char>(spoiled[12] ^ 0x20);
  EXPECT_EQ(decoding.text(Coding::gzip, spoiled), "body_coding");
}

TEST(BodyCoding, WithoutMemoryItSaysSo) {
  for (std::uint64_t nth = 1; nth <= 2; ++nth) {
    Decoding decoding;
    decoding.budget.refuse_once(nth);
    EXPECT_EQ(decoding.text(Coding::gzip, kGzip), "budget_full");
    Decoding other;
    other.budget.refuse_once(nth);
    EXPECT_EQ(other.text(Coding::zstd, kZstd), "budget_full");
    EXPECT_EQ(other.budget.used(Region::parser), 0u);
  }
}

}  // namespace
}  // namespace sluice
