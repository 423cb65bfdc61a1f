#pragma once

#include <atomic>

#include "load/options.h"
#include "load/stats.h"

namespace sluice::load {

/// Runs the load and waits for its end: the time or the requests are over, or `stop` became true,
/// and every request in flight is answered or has failed.
/// Requires: at least as many connections as threads. Errors: input_open, when the system has no
/// descriptors; out_of_memory, when it has no threads.
Result<Stats> run(const Options& options, const std::atomic<bool>& stop);

}  // namespace sluice::load
