#include "sinks/byte_output.h"

namespace sluice {
namespace {

class NullOutput final : public ByteOutput {
 public:
  Result<std::size_t> write(std::span<const iovec> pieces) override {
    std::size_t bytes = 0;
    for (const iovec& piece : pieces) bytes += piece.iov_len;
    return bytes;
  }
  int wait_descriptor() const override { return -1; }
  Result<void> close() override { return {}; }
};

Result<std::unique_ptr<ByteOutput>> make(const std::string& rest, const SinkContext&) {
  if (!rest.empty()) return Error{.code = ErrorCode::option_value};
  return std::make_unique<NullOutput>();
}

}  // namespace

extern const SinkSpec null_sink_spec{
    .scheme = "null:",
    .summary = "checks and counts the records, and keeps nothing",
    .example = "--to '* -> null:'",
    .make = make,
};

}  // namespace sluice
