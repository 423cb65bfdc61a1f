// Bytes that come to an HTTP connection, whole and in pieces: the same requests, bodies and
// answers, and no memory left behind. The last byte says how they are cut.

#include <cstdio>
#include <cstdlib>

#include "http/http_test_support.h"

using namespace sluice;
using namespace sluice::http;

namespace {

struct Outcome {
  std::vector<std::string> targets;
  std::vector<std::string> bodies;
  std::vector<ErrorCode> faults;
  std::vector<int> statuses;
  bool operator==(const Outcome&) const = default;
};

Outcome serve(std::string_view bytes, std::size_t step) {
  Line line;
  line.application.most_body = 2048;
  line.space.limits.chunk_extras = 1 << 20;  // is met earlier in pieces, by a few bytes
  while (!bytes.empty() && !line.closing()) {
    line.receive(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  Outcome outcome{line.application.targets, line.application.bodies, line.application.faults,
                  statuses(line.wire.out)};
  while (line.connection.waits_for_answer()) {
    line.connection.answer_later(Answer{}, line.space, {});
  }
  line.wire.ended = true;
  line.turn();
  if (line.connection.wants() != Connection::Wants::end) std::abort();
  return outcome;
}

/// "100 Continue" is said only to those that wait for it.
void drop_interim(Outcome& outcome) { std::erase(outcome.statuses, 100); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size - 1);
  Outcome whole = serve(bytes, bytes.size() + 1);
  Outcome pieces = serve(bytes, 1 + data[size - 1]);
  drop_interim(whole);
  drop_interim(pieces);
  if (!(whole == pieces)) {
    std::fprintf(stderr, "cut into pieces of %d bytes, another outcome\n", 1 + data[size - 1]);
    std::abort();
  }
  return 0;
}
