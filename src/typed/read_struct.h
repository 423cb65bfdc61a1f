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
      : state_(state), text_(state), members_(members_of(value)) {}

  /// In line, with all that each member in its turn takes: where the reading is and what was seen
  /// stay in registers then. What members out of turn take is behind calls, which know neither.
  [[gnu::always_inline]] NextToken read(std::uint32_t opener) {
    Progress at{opener + 1, 0};
    if (!read_in_order(at, kEach)) return 0;
    if (text_.kind_of(at.token) != '}') [[unlikely]] {
      at = read_in_any_order(state_, members_, at);
      if (at.token == 0) return 0;
    }
    const std::uint64_t missing = kRequired & ~at.seen;
    if (missing != 0 && state_.options.missing == Missing::refuse) [[unlikely]] {
      return refuse_missing(state_, at.token, missing);
    }
    return at.token + 1;
  }

 private:
  static constexpr std::size_t kCount = kMemberCount<T>;
  static constexpr auto kEach = std::make_index_sequence<kCount>{};
  static constexpr std::uint64_t kRequired = reflection::required_members<T>(kEach);
  static constexpr KeyTable<kCount> kKeys{kMemberNames<T>};
  using Members = decltype(members_of(std::declval<T&>()));

  struct Progress {
    std::uint32_t token;  ///< the next member's key, or the closing bracket; 0 after a fault
    std::uint64_t seen;   ///< bit i: member i was read
  };

  /// Of the index; apart, because what is written to members cannot change it.
  struct Text {
    explicit Text(const ReadState& state)
        : text(reinterpret_cast<const char*>(state.index.text)),
          end(state.text_end()),
          tokens(state.index.tokens),
          places(state.index.places) {}

    std::uint8_t kind_of(std::uint32_t token) const { return tokens[token]; }

    template <std::size_t kIndex>
    bool is_next(std::uint32_t token) const {
      constexpr const auto& kQuoted = reflection::kQuotedName<T, kIndex>;
      if constexpr (!reflection::may_be_plain(kMemberNames<T>[kIndex])) return false;
      const char* const key = text + places[token];
      return static_cast<std::size_t>(end - key) >= kQuoted.size() &&
             std::memcmp(key, kQuoted.data(), kQuoted.size()) == 0;
    }

    /// The member behind a value that was read up to `next`, or the closing bracket.
    std::uint32_t member_behind(NextToken next) const {
      // A branch that is foreseen, where a sum would wait for the load.
      return kind_of(next) == ',' ? next + 1 : next;
    }

    const char* text;
    const char* end;
    const std::uint8_t* tokens;
    const std::uint32_t* places;
  };

  template <std::size_t... kIndex>
  [[gnu::always_inline]] bool read_in_order(Progress& at, std::index_sequence<kIndex...>) {
    return (read_if_next<kIndex>(at) && ...);
  }

  /// False at a fault; what comes next need not be this member. It has not been seen before: only
  /// the members declared before it have had their turn.
  template <std::size_t kIndex>
  [[gnu::always_inline]] bool read_if_next(Progress& at) {
    if (!text_.template is_next<kIndex>(at.token)) {
      if (text_.kind_of(at.token) == '}') return true;
      at.token = skip_unknown(state_, at.token);
      if (at.token == 0) return false;
      if (!text_.template is_next<kIndex>(at.token)) return true;
    }
    const NextToken next = read_value(state_, at.token + 2, std::get<kIndex>(members_));
    if (next == 0) return false;
    at = {text_.member_behind(next), at.seen | std::uint64_t{1} << kIndex};
    return true;
  }

  [[gnu::noinline]] static Progress read_in_any_order(ReadState& state, Members members,
                                                      Progress at) {
    while (true) {
      at.token = skip_unknown(state, at.token);
      if (at.token == 0 || state.kind_of(at.token) == '}') return at;
      at = read_member(state, members, at, kEach);
      if (at.token == 0) return at;
    }
  }

  /// The member of the struct at `at.token`.
  template <std::size_t... kIndex>
  static Progress read_member(ReadState& state, Members& members, Progress at,
                              std::index_sequence<kIndex...>) {
    const std::size_t index = find_member(state, at.token);
    const std::uint64_t bit = std::uint64_t{1} << index;
    if ((at.seen & bit) != 0 && state.options.duplicates == Duplicates::refuse) [[unlikely]] {
      return {state.fail(ErrorCode::json_duplicate, at.token), at.seen};
    }
    NextToken next = 0;
    const auto read_one = [&](auto& member) { next = read_value(state, at.token + 2, member); };
    static_cast<void>(((kIndex == index && (read_one(std::get<kIndex>(members)), true)) || ...));
    return {next == 0 ? 0 : Text(state).member_behind(next), at.seen | bit};
  }

  /// Goes on to the next member that the struct has, or to the end. 0 where unknown ones are
  /// refused and there is one.
  [[gnu::noinline]] static NextToken skip_unknown(ReadState& state, std::uint32_t token) {
    while (true) {
      if (state.options.unknown == Unknown::ignore) token = skip_unlike(state.index, token);
      if (state.kind_of(token) != '"' || find_member(state, token) != kCount) return token;
      if (state.options.unknown == Unknown::refuse) {
        state.names = kMemberNames<T>;
        return state.fail(ErrorCode::json_field, token);
      }
      token = Text(state).member_behind(state.index.behind(token + 2));
    }
  }

  /// Skips members as long as the beginning of the key tells that the struct has none such.
  static std::uint32_t skip_unlike(const IndexView& index, std::uint32_t key) {
    const char* const text = reinterpret_cast<const char*>(index.text);
    while (index.tokens[key] == '"') {
      const char* const name = text + index.places[key];
      if (kKeys.may_have(name[1], name[2])) break;
      std::uint32_t value = key + 2;
      if (index.is_opener(value)) value = index.links[value];
      key = value + 1;
      if (index.tokens[key] != ',') break;  // and not a sum, which would wait for the load
      ++key;
    }
    return key;
  }

  static std::size_t find_member(const ReadState& state, std::uint32_t token) {
    const std::string_view key = state.index.string_body(token);
    const std::size_t index = kKeys.find(key);
    if (index != kCount || !has_backslash(key)) [[likely]]
      return index;
    return kKeys.find(decoded_key(state, token));
  }

  [[gnu::cold]] static NextToken refuse_missing(ReadState& state, std::uint32_t token,
                                                std::uint64_t missing) {
    state.member = kMemberNames<T>[static_cast<std::size_t>(std::countr_zero(missing))];
    return state.fail(ErrorCode::json_missing, token);
  }

  ReadState& state_;
  const Text text_;
  Members members_;
};

}  // namespace sluice::json
