#pragma once

#include <functional>
#include <memory>

#include "base/file.h"
#include "base/loop.h"

namespace sluice {

/// Blocks SIGINT, SIGTERM and SIGHUP for the process and calls back from the loop for each one that
/// comes: SIGHUP by `on_hangup` where there is one. Ignores SIGPIPE and SIGXFSZ, so that writing to
/// a reader that is gone, or beyond a limit of file size, is an error like any other.
class Signals final : private ReadyHandler {
 public:
  /// Errors: input_open with the errno, when no descriptor is left.
  static Result<std::unique_ptr<Signals>> make(Loop& loop, std::function<void()> on_signal,
                                               std::function<void()> on_hangup = {});
  ~Signals() override;

 private:
  Signals(Loop& loop, std::function<void()> on_signal, std::function<void()> on_hangup,
          Descriptor descriptor);
  void on_ready() override;

  Loop& loop_;
  std::function<void()> on_signal_;
  std::function<void()> on_hangup_;
  Descriptor descriptor_;
};

}  // namespace sluice
