#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::json {

/// Which of a struct's names a key is, in constant time: a hash without collisions among the
/// names, looked for at compile time, and one comparison.
///
/// The hash sees the length and the first and last eight bytes (fewer in shorter keys); names that
/// are the same in all of these are looked for one by one. (To compare those words first and
/// spare the call for short names was tried: no gain.)
template <std::size_t kCount>
class KeyTable {
 public:
  static constexpr std::size_t kNone = kCount;

  consteval explicit KeyTable(const std::array<std::string_view, kCount>& names) : names_(names) {
    for (const std::string_view name : names) add_beginning(name);
    for (seed_ = kFirstSeed; !perfect_ && tries_ < kTriesMax; ++tries_) {
      if (place_all()) {
        perfect_ = true;
      } else {
        seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
      }
    }
  }

  /// False for most keys that are none of the names, going by the two bytes behind the opening
  /// quote of a key as it is written.
  constexpr bool may_have(char first, char second) const {
    return first == '\\' || beginnings_[pair(first, second)];
  }

  /// Index of the name that equals `key`, which is as the document means it (escapes undone), or
  /// kNone.
  constexpr std::size_t find(std::string_view key) const {
    if (!perfect_) return find_plainly(key);
    const std::size_t index = table_[slot(key)];
    return index != kNone && names_[index] == key ? index : kNone;
  }

 private:
  static constexpr std::size_t kSlotBits =
      std::bit_width(kCount < 4 ? std::size_t{8} : 4 * kCount - 1);
  static constexpr std::uint64_t kFirstSeed = 0x9E3779B97F4A7C15u;
  static constexpr int kTriesMax = 200;

  static constexpr std::size_t pair(char first, char second) {
    return static_cast<unsigned char>(first * 5 + second);
  }

  consteval void add_beginning(std::string_view name) {
    const char first = name.empty() ? '"' : name[0];
    if (name.size() > 1) beginnings_[pair(first, name[1])] = true;
    if (name.size() == 1) beginnings_[pair(first, '"')] = true;
    if (name.empty()) beginnings_.fill(true);
    beginnings_[pair(first, '\\')] = true;  // the second letter may be written as an escape
  }

  constexpr std::size_t find_plainly(std::string_view key) const {
    std::size_t index = 0;
    while (index < kCount && names_[index] != key) ++index;
    return index;
  }

  template <std::size_t kBytes>
  static constexpr std::uint64_t load(const char* bytes) {
    std::uint64_t word = 0;
    if consteval {
      for (std::size_t i = 0; i < kBytes; ++i) {
        word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
      }
    } else {
      std::memcpy(&word, bytes, kBytes);
    }
    return word;
  }

  constexpr std::size_t slot(std::string_view key) const {
    const char* const first = key.data();
    const char* const end = first + key.size();
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    if (key.size() >= 8) {
      low = load<8>(first);
      high = load<8>(end - 8);
    } else if (key.size() >= 4) {
      low = load<4>(first);
      high = load<4>(end - 4);
    } else if (!key.empty()) {
      low = load<1>(first) | load<1>(first + key.size() / 2) << 8;
      high = load<1>(end - 1);
    }
    const std::uint64_t mixed = (low ^ std::rotl(high, 23) ^ key.size()) * seed_;
    return static_cast<std::size_t>((mixed ^ mixed >> 29) * seed_ >> (64 - kSlotBits));
  }

  consteval bool place_all() {
    table_.fill(kNone);
    for (std::size_t index = 0; index < kCount; ++index) {
      std::uint8_t& entry = table_[slot(names_[index])];
      if (entry != kNone) return false;
      entry = static_cast<std::uint8_t>(index);
    }
    return true;
  }

  std::array<std::string_view, kCount> names_;
  std::array<std::uint8_t, std::size_t{1} << kSlotBits> table_{};
  std::array<bool, 256> beginnings_{};
  std::uint64_t seed_ = 0;
  int tries_ = 0;
  bool perfect_ = false;
};

}  // namespace sluice::json
