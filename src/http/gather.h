#pragma once

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "http/answer.h"

namespace sluice::http {

/// How an answer is framed.
struct Framing {
  bool without_body = false;  ///< to a HEAD: the length is that of the body that a GET would get
  bool keep_alive = true;
  bool http_1_1 = true;
};

/// Answers of one connection that leave together: heads in memory of its own, bodies by reference.
/// One serves all connections of a server, in turn.
class Gather {
 public:
  static constexpr std::size_t kAnswers = 32;

  /// Whether another answer may come; else what is there must go first.
  bool has_room() const { return answers_ < kAnswers && kHeads - heads_used_ >= kLargestHead; }
  bool empty() const { return count_ == 0; }
  /// Requires: has_room(). `now_ns` is of the monotonic clock, for the Date that is kept a second.
  void add(Answer&& answer, const Framing& framing, std::uint64_t now_ns);
  /// "100 Continue", in front of an answer. Requires: has_room().
  void add_continue();
  /// What is to go, in order.
  std::span<const iovec> pieces() const { return {pieces_.data(), count_}; }
  std::size_t bytes() const;
  void clear();

 private:
  static constexpr std::size_t kHeads = 64 * 1024;
  /// More than a request's head may have, so that an answer may repeat what it was asked.
  static constexpr std::size_t kLargestHead = 24 * 1024;

  void put(std::string_view text);
  void put_header(std::string_view name, std::string_view value);
  void add_piece(const void* data, std::size_t size);
  std::string_view date(std::uint64_t now_ns);

  std::array<char, kHeads> heads_;
  std::size_t heads_used_ = 0;
  std::array<std::string, kAnswers> texts_;
  std::array<Buffer, kAnswers> memories_;
  std::size_t answers_ = 0;
  std::array<iovec, kAnswers*(Answer::kPieces + 3)> pieces_;
  std::size_t count_ = 0;
  std::array<char, 32> date_{};
  std::size_t date_size_ = 0;
  std::uint64_t date_until_ns_ = 0;
};

}  // namespace sluice::http
