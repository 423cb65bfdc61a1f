#include "sources/scan_crew.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "memory/pool.h"

namespace sluice {
namespace {

/// `{"n":NUMBER}` on a line of its own, with the bytes that a scanner may read behind it.
std::string padded_line(int number) {
  return "{\"n\":" + std::to_string(number) + "}\n" + std::string(json::kScanPadding, ' ');
}

struct Task final : CrewTask {
  Task(int given, std::vector<int>& begun)
      : number(given), order(begun), text(padded_line(given)) {}
  void begin() override { order.push_back(number); }
  void finish(json::LineScanner& scanner) override {
    struct : json::LineFaults {
      void on_fault(const json::LineFault&) override {}
    } faults;
    const std::size_t size = text.size() - json::kScanPadding;
    progress =
        scanner.scan({reinterpret_cast<const std::uint8_t*>(text.data()), size}, rows, faults);
  }

  int number;
  std::vector<int>& order;  ///< not guarded: no two begin at once
  std::string text;
  std::vector<std::uint64_t> rows = std::vector<std::uint64_t>(json::row_words(0));
  json::LineScanner::Progress progress;
};

class ScanCrewTest : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    std::vector<std::span<std::byte>> spans;
    for (std::size_t thread = 0; thread < GetParam(); ++thread) {
      streams.push_back(*pool.take(json::kStreamBytes, Region::parser));
      spans.push_back(std::as_writable_bytes(streams.back().bytes()));
    }
    crew = std::move(*ScanCrew::make(nothing, {}, spans));
  }
  Task& submit(int number) {
    Task& task = tasks.emplace_back(number, order);
    crew->submit(task);
    return task;
  }

  Budget budget{8 << 20};
  Pool pool{budget, {}};
  std::vector<Buffer> streams;
  json::Selection nothing;
  std::vector<int> order;
  std::deque<Task> tasks;
  std::unique_ptr<ScanCrew> crew;
};

TEST_P(ScanCrewTest, EveryTaskIsDoneOnceAndTheyBeginInOrder) {
  constexpr int kTasks = 20'000;
  int asked_for = 0;
  for (int number = 0; number < kTasks; ++number) {
    submit(number);
    // From one at a time to as many as there is room for.
    const auto ahead = static_cast<std::size_t>(number / 400) % ScanCrew::kMostTasks + 1;
    while (tasks.size() >= ahead) {
      crew->await_oldest();
      const Task& task = tasks.front();
      ASSERT_EQ(task.number, asked_for);
      ASSERT_EQ(task.progress.rows, 1u) << task.text;
      ASSERT_EQ(task.progress.consumed, task.text.size() - json::kScanPadding);
      ++asked_for;
      tasks.pop_front();
    }
  }
  crew->forget_all();
  ASSERT_GE(order.size(), static_cast<std::size_t>(asked_for));
  for (std::size_t at = 0; at < order.size(); ++at) ASSERT_EQ(order[at], static_cast<int>(at));
}

TEST_P(ScanCrewTest, WhatIsForgottenIsLeftAlone) {
  for (int round = 0; round < 2'000; ++round) {
    for (int number = 0; number < 10; ++number) submit(number);
    if (round % 3 == 0) crew->await_oldest();
    crew->forget_all();
    tasks.clear();  // whoever is still at one of them uses freed memory
  }
  submit(7);
  crew->await_oldest();
  EXPECT_EQ(tasks.front().progress.rows, 1u);
}

TEST_P(ScanCrewTest, SleepersWakeForTasksAndForTheEnd) {
  for (int round = 0; round < 50; ++round) {
    for (int number = 0; number < 8; ++number) submit(number);
    for (int number = 0; number < 8; ++number) crew->await_oldest();
    tasks.clear();
    std::this_thread::yield();
  }
  crew.reset();  // joins
}

INSTANTIATE_TEST_SUITE_P(Threads, ScanCrewTest, testing::Values(1, 2, 4));

}  // namespace
}  // namespace sluice
