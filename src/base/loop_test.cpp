#include "base/loop.h"

#include <unistd.h>

#include <array>

#include <gtest/gtest.h>

#include "base/file.h"

namespace sluice {
namespace {

struct RecordingTimer final : Timer {
  RecordingTimer(Loop& its_loop, std::vector<std::uint64_t>& its_times)
      : loop(its_loop), times(its_times) {}
  void on_time() override { times.push_back(loop.now_ns()); }
  Loop& loop;
  std::vector<std::uint64_t>& times;
};

TEST(Loop, FiresTimersInVirtualTimeInOrderOfTheirMoments) {
  ManualClock clock;
  ManualPoller poller(clock);
  Loop loop(clock, poller);
  std::vector<std::uint64_t> times;
  RecordingTimer late(loop, times);
  RecordingTimer early(loop, times);
  const std::uint64_t start = loop.now_ns();
  loop.set(late, start + 8'000);
  loop.set(early, start + 5'000);
  loop.turn(true);
  loop.turn(true);
  EXPECT_EQ(times, (std::vector<std::uint64_t>{start + 5'000, start + 8'000}));
}

TEST(Loop, ATimerThatWasClearedOrMovedFiresNotOrLater) {
  ManualClock clock;
  ManualPoller poller(clock);
  Loop loop(clock, poller);
  std::vector<std::uint64_t> times;
  RecordingTimer cleared(loop, times);
  RecordingTimer moved(loop, times);
  const std::uint64_t start = loop.now_ns();
  loop.set(cleared, start + 10);
  loop.set(moved, start + 20);
  loop.clear(cleared);
  loop.set(moved, start + 30);
  loop.turn(true);
  EXPECT_EQ(times, std::vector<std::uint64_t>{start + 30});
}

struct Reader final : ReadyHandler {
  void on_ready() override {
    std::array<char, 8> bytes;
    got += read(descriptor, bytes.data(), bytes.size());
    loop->forget(descriptor);
  }
  Loop* loop = nullptr;
  int descriptor = -1;
  ssize_t got = 0;
};

TEST(EpollPoller, CallsTheHandlerOfWhatIsReadyUntilItIsForgotten) {
  SteadyClock clock;
  auto poller = EpollPoller::make();
  ASSERT_TRUE(poller);
  Loop loop(clock, *poller);
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  Reader reader;
  reader.loop = &loop;
  reader.descriptor = ends[0];
  loop.watch(ends[0], Readiness::readable, reader);
  loop.turn(false);
  EXPECT_EQ(reader.got, 0);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  loop.turn(true);
  EXPECT_EQ(reader.got, 3);
}

}  // namespace
}  // namespace sluice
