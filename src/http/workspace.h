#pragma once

#include "http/application.h"
#include "http/counts.h"
#include "http/gather.h"
#include "http/head_parser.h"
#include "http/limits.h"
#include "memory/pool.h"

namespace sluice::http {

/// What the connections of one server share: memory that none needs between its turns, the
/// application, and the time of the present turn.
struct Workspace {
  static constexpr std::size_t kReadBytes = 64 * 1024;

  Pool& pool;
  Application& application;
  Limits limits;
  Buffer shared{};  ///< kReadBytes and kBodyPadding
  HeadParser parser{};
  llhttp_t parsed{};  ///< where the parser stands behind the head that it read last
  Head head{};
  Gather gather{};
  Counts counts{};
  std::uint64_t now_ns = 0;
  std::size_t receiving_bytes = 0;  ///< that connections hold for messages that are not complete
  bool draining = false;            ///< connections end with the answer that is under way
};

}  // namespace sluice::http
