#include "load/run.h"

#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "load/worker.h"

namespace sluice::load {
namespace {

/// Part `number` of `of` of a whole, the larger parts first.
std::uint64_t part(std::uint64_t whole, std::size_t number, std::size_t of) {
  return whole / of + (number < whole % of ? 1 : 0);
}

}  // namespace

Result<Stats> run(const Options& options, const std::atomic<bool>& stop) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t number = 0; number < options.threads; ++number) {
    workers.push_back(std::make_unique<Worker>(
        options, Worker::Share{.number = number,
                               .of = options.threads,
                               .connections = part(options.connections, number, options.threads),
                               .requests = part(options.requests, number, options.threads),
                               .stop = &stop}));
  }
  const std::uint64_t start_ns = SteadyClock().now_ns();
  std::vector<Result<void>> results(workers.size());
  try {
    std::vector<std::jthread> threads;
    for (std::size_t number = 1; number < workers.size(); ++number) {
      threads.emplace_back([&, number] { results[number] = workers[number]->run(start_ns); });
    }
    results[0] = workers[0]->run(start_ns);
  } catch (const std::system_error& error) {
    return Error{.code = ErrorCode::out_of_memory, .system_errno = error.code().value()};
  }
  Stats all;
  for (std::size_t number = 0; number < workers.size(); ++number) {
    if (!results[number]) return results[number].error();
    all.add(workers[number]->stats());
  }
  return all;
}

}  // namespace sluice::load
