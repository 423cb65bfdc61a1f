#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "json/has_backslash.h"
#include "typed/key_table.h"
#include "typed/kinds.h"
#include "typed/members.h"
#include "typed/read_state.h"

/// Objects into structs. Members mostly come in the order of declaration, so first each in turn is
/// compared with the key that is next, in one go with its quotes; whatever else comes (unknown
/// members, another order) is looked up.
namespace sluice::json {

/// The key at `token` is none of the struct's names as it is written; undoes its escapes, if it
/// has any, and returns it.
std::string decoded_key(const ReadState& state, std::uint32_t token);

namespace reflection {

/// A name in its quotes, as text without escapes has it.
template <class T, std::size_t kIndex>
inline constexpr auto kQuotedName = [] {
  constexpr std::string_view kName = kMemberNames<T>[kIndex];
  std::array<char, kName.size() + 2> quoted{};
  quoted.front() = quoted.back() = '"';
  std::ranges::copy(kName, quoted.begin() + 1);
  return quoted;
}();

/// A name with characters that JSON escapes is never in a text as it is.
constexpr bool may_be_plain(std::string_view name) {
  return std::ranges::none_of(name, [](char letter) {
    return letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < 0x20;
  });
}

/// Bit i: member i must be in the text.
template <class T, std::size_t... kIndex>
consteval std::uint64_t required_members(std::index_sequence<kIndex...>) {
  using Members = decltype(members_of(std::declval<T&>()));
  return (std::uint64_t{0} | ... |
          (Nullable<std::remove_reference_t<std::tuple_element_t<kIndex, Members>>>
               ? std::uint64_t{0}
               : std::uint64_t{1} << kIndex));
}

}  // namespace reflection

template <class T>
class StructReader {
 public:
  StructReader(ReadState& state, T& value)
      : state_(state),
        text_(reinterpret_cast<const char*>(state.index.text)),
        text_end_(state.text_end()),
        tokens_(state.index.tokens),
        places_(state.index.places),
        members_(members_of(value)) {}

  NextToken read(std::uint32_t opener) {
    token_ = opener + 1;
    const bool good = read_in_order(kEach) && read_in_any_order();
    if (!good) return 0;
    const std::uint64_t missing = kRequired & ~seen_;
    if (missing != 0 && state_.options.missing == Missing::refuse) return refuse_missing(missing);
    return token_ + 1;
  }

 private:
  static constexpr std::size_t kCount = kMemberCount<T>;
  static constexpr auto kEach = std::make_index_sequence<kCount>{};
  static constexpr std::uint64_t kRequired = reflection::required_members<T>(kEach);
  static constexpr KeyTable<kCount> kKeys{kMemberNames<T>};

  template <std::size_t kIndex>
  bool is_next() const {
    constexpr const auto& kQuoted = reflection::kQuotedName<T, kIndex>;
    if constexpr (!reflection::may_be_plain(kMemberNames<T>[kIndex])) return false;
    const char* const text = text_ + places_[token_];
    return static_cast<std::size_t>(text_end_ - text) >= kQuoted.size() &&
           std::memcmp(text, kQuoted.data(), kQuoted.size()) == 0;
  }

  /// Reads the value of the member at `token_` and goes on to the next member.
  template <std::size_t kIndex>
  bool read_member() {
    constexpr std::uint64_t kBit = std::uint64_t{1} << kIndex;
    if ((seen_ & kBit) != 0 && state_.options.duplicates == Duplicates::refuse) [[unlikely]] {
      return state_.fail(ErrorCode::json_duplicate, token_);
    }
    seen_ |= kBit;
    return go_behind(read_value(state_, token_ + 2, std::get<kIndex>(members_)));
  }

  bool go_behind(NextToken next) {
    if (next == 0) return false;
    // A branch that is foreseen, where a sum would wait for the load.
    if (kind_of(next) == ',') [[likely]]
      ++next;
    token_ = next;
    return true;
  }

  template <std::size_t... kIndex>
  bool read_in_order(std::index_sequence<kIndex...>) {
    return (read_if_next<kIndex>() && ...);
  }

  /// False at a fault; what comes next need not be this member.
  template <std::size_t kIndex>
  bool read_if_next() {
    if (!is_next<kIndex>()) {
      if (!skip_unknown()) return false;
      if (!is_next<kIndex>()) return true;
    }
    return read_member<kIndex>();
  }

  bool read_in_any_order() {
    while (skip_unknown() && kind_of(token_) == '"') {
      if (!read_member_at(find_member(), kEach)) return false;
    }
    return kind_of(token_) == '}';
  }

  template <std::size_t... kIndex>
  bool read_member_at(std::size_t index, std::index_sequence<kIndex...>) {
    bool good = false;
    static_cast<void>(((kIndex == index && (good = read_member<kIndex>(), true)) || ...));
    return good;
  }

  /// Goes on to the next member that the struct has, or to the end. False where unknown ones are
  /// refused and there is one.
  [[gnu::noinline]] bool skip_unknown() {
    while (true) {
      if (state_.options.unknown == Unknown::ignore) skip_unlike();
      if (kind_of(token_) != '"' || find_member() != kCount) return true;
      if (!skip_member()) return false;
    }
  }

  /// Skips members as long as the beginning of the key tells that the struct has none such.
  void skip_unlike() {
    std::uint32_t key = token_;
    while (kind_of(key) == '"') {
      const char* const text = text_ + places_[key];
      if (kKeys.may_have(text[1], text[2])) break;
      std::uint32_t value = key + 2;
      if (state_.index.is_opener(value)) value = state_.index.links[value];
      key = value + 1;
      if (kind_of(key) != ',') break;  // and not a sum, which would wait for the load
      ++key;
    }
    token_ = key;
  }

  bool skip_member() {
    if (state_.options.unknown == Unknown::refuse) {
      state_.names = kMemberNames<T>;
      return state_.fail(ErrorCode::json_field, token_);
    }
    return go_behind(state_.index.behind(token_ + 2));
  }

  std::size_t find_member() const {
    const std::string_view key = state_.index.string_body(token_);
    const std::size_t index = kKeys.find(key);
    if (index != kCount || !has_backslash(key)) [[likely]]
      return index;
    return kKeys.find(decoded_key(state_, token_));
  }

  NextToken refuse_missing(std::uint64_t missing) {
    state_.member = kMemberNames<T>[static_cast<std::size_t>(std::countr_zero(missing))];
    return state_.fail(ErrorCode::json_missing, token_);
  }

  std::uint8_t kind_of(std::uint32_t token) const { return tokens_[token]; }

  ReadState& state_;
  // Of the index; here, because what is written to members cannot change them.
  const char* const text_;
  const char* const text_end_;
  const std::uint8_t* const tokens_;
  const std::uint32_t* const places_;
  decltype(members_of(std::declval<T&>())) members_;
  std::uint32_t token_ = 0;  ///< the next member's key, or the closing bracket
  std::uint64_t seen_ = 0;   ///< bit i: member i was read
};

}  // namespace sluice::json
