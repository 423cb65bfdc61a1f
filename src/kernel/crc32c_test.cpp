#include "kernel/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace sluice::kernel {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Crc32cStep> all_steps() {
  std::vector<Crc32cStep> steps = {crc32c_portable};
  if (crc32c_instruction() != nullptr) steps.push_back(crc32c_instruction());
  return steps;
}

std::uint32_t crc_of(Crc32cStep step, const Bytes& bytes) { return ~step(~0u, bytes); }

/// The definition: one bit after another through the register.
std::uint32_t bitwise(std::span<const std::uint8_t> bytes) {
  std::uint32_t state = ~0u;
  for (const std::uint8_t byte : bytes) {
    state ^= byte;
    for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ ((state & 1) != 0 ? 0x82F63B78 : 0);
  }
  return ~state;
}

Bytes counting(int first, int last, int by) {
  Bytes bytes;
  for (int value = first; value != last + by; value += by) {
    bytes.push_back(static_cast<std::uint8_t>(value));
  }
  return bytes;
}

Bytes random_bytes(std::mt19937& random, std::size_t size) {
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(Crc32c, GivesThePublishedCheckValue) {
  const std::string_view digits = "123456789";
  for (const Crc32cStep step : all_steps()) {
    EXPECT_EQ(crc_of(step, Bytes(digits.begin(), digits.end())), 0xE3069283u);
    EXPECT_EQ(crc_of(step, {}), 0u);
  }
}

// RFC 3720, B.4. It prints the bytes of the value in the order in which they are sent.
TEST(Crc32c, GivesTheValuesOfRfc3720) {
  const Bytes command = {0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                         0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
                         0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18, 0x28, 0x00, 0x00, 0x00,
                         0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  for (const Crc32cStep step : all_steps()) {
    EXPECT_EQ(crc_of(step, Bytes(32, 0x00)), 0x8A9136AAu);
    EXPECT_EQ(crc_of(step, Bytes(32, 0xFF)), 0x62A8AB43u);
    EXPECT_EQ(crc_of(step, counting(0x00, 0x1F, 1)), 0x46DD794Eu);
    EXPECT_EQ(crc_of(step, counting(0x1F, 0x00, -1)), 0x113FDB5Cu);
    EXPECT_EQ(crc_of(step, command), 0xD9963A56u);
  }
}

// Lengths around every stride: 8 bytes, three lanes of 128, three of 2048.
TEST(Crc32c, AgreesWithTheDefinitionAtEveryLengthAndAlignment) {
  std::mt19937 random(1);
  const Bytes bytes = random_bytes(random, 3 * 2048 * 2 + 3 * 128 + 40);
  for (const Crc32cStep step : all_steps()) {
    for (std::size_t size :
         {0, 1, 7, 8, 9, 383, 384, 385, 391, 768, 6143, 6144, 6145, 6536, 12672}) {
      for (std::size_t start = 0; start < 9; ++start) {
        const auto part = std::span(bytes).subspan(start, size);
        EXPECT_EQ(~step(~0u, part), bitwise(part)) << size << " bytes from " << start;
      }
    }
  }
}

TEST(Crc32c, DoesNotDependOnHowTheBytesAreCut) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const Bytes bytes = random_bytes(random, random() % 9000);
    Crc32c crc;
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t size = std::min<std::size_t>(random() % 4000, bytes.size() - done);
      crc.update(std::span(bytes).subspan(done, size));
      done += size;
    }
    ASSERT_EQ(crc.value(), bitwise(bytes)) << "round " << round;
  }
}

}  // namespace
}  // namespace sluice::kernel
