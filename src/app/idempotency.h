#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "memory/budget.h"

namespace sluice {

/// An answer that was given and is given again.
struct StoredAnswer {
  int status = 0;
  std::string media_type;
  std::string body;
};

/// Remembers the answers to requests that carried an Idempotency-Key, so that a client may repeat
/// one whose answer it did not see. In memory: at most `most_bytes`, the oldest answers go first,
/// and all after a day. One thread.
class IdempotencyStore {
 public:
  static constexpr std::size_t kLongestKey = 255;
  static constexpr std::uint64_t kKeepNs = 24ull * 3600 * 1'000'000'000;

  /// What is remembered is counted against `budget`, which outlives it.
  IdempotencyStore(Budget& budget, std::size_t most_bytes)
      : budget_(budget), most_bytes_(most_bytes) {}
  ~IdempotencyStore();
  IdempotencyStore(const IdempotencyStore&) = delete;
  IdempotencyStore& operator=(const IdempotencyStore&) = delete;

  /// What the same content looks like again.
  using Fingerprint = std::array<std::uint8_t, 32>;
  static Fingerprint fingerprint(std::string_view query, std::span<const std::uint8_t> body);

  enum class Outcome {
    fresh,    ///< go on, then `finish` or `forget`
    busy,     ///< the first request with this key has no answer yet
    repeat,   ///< give the stored answer
    reused,   ///< the key came with another content before
    no_room,  ///< what is remembered fills the memory and may not go yet
  };
  struct Begun {
    Outcome outcome;
    const StoredAnswer* answer = nullptr;  ///< of a repeat; valid until the next call
  };
  /// `scope` is the input's name: keys of different inputs are different keys.
  Begun begin(std::string_view scope, std::string_view key, const Fingerprint& content,
              std::uint64_t now_ns);
  /// The answer of a fresh request. Where there is no room for it, only that it was given is
  /// forgotten.
  void finish(std::string_view scope, std::string_view key, StoredAnswer answer);
  /// A fresh request came to nothing: a repeat is welcome.
  void forget(std::string_view scope, std::string_view key);

  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string name;  ///< scope and key
    Fingerprint content;
    std::uint64_t begun_ns;
    bool finished = false;
    std::size_t bytes = 0;
    StoredAnswer answer;
  };
  using Entries = std::list<Entry>;

  static std::string name_of(std::string_view scope, std::string_view key);
  bool take(Entry& entry, std::size_t bytes);
  bool drop_oldest(const Entry& but);
  void drop_old(std::uint64_t now_ns);
  void erase(Entries::iterator entry);

  Budget& budget_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  Entries entries_;  ///< oldest first
  std::unordered_map<std::string_view, Entries::iterator> by_name_;
};

}  // namespace sluice
