#include "app/idempotency.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Outcome = IdempotencyStore::Outcome;

constexpr std::uint64_t kHour = 3'600'000'000'000;

IdempotencyStore::Fingerprint content(std::string_view body, std::string_view query = "") {
  return IdempotencyStore::fingerprint(
      query, {reinterpret_cast<const std::uint8_t*>(body.data()), body.size()});
}

TEST(Idempotency, ARepeatGetsTheStoredAnswer) {
  Budget budget(1 << 20);
  IdempotencyStore store(budget, 1 << 20);
  EXPECT_EQ(store.begin("in", "k", content("{}"), 0).outcome, Outcome::fresh);
  EXPECT_EQ(store.begin("in", "k", content("{}"), 0).outcome, Outcome::busy);
  store.finish("in", "k", {.status = 202, .media_type = "application/json", .body = "ok"});
  const auto again = store.begin("in", "k", content("{}"), 1);
  ASSERT_EQ(again.outcome, Outcome::repeat);
  EXPECT_EQ(again.answer->status, 202);
  EXPECT_EQ(again.answer->body, "ok");
}

TEST(Idempotency, AnotherContentOrInputIsAnotherMatter) {
  Budget budget(1 << 20);
  IdempotencyStore store(budget, 1 << 20);
  store.begin("in", "k", content("{}", "a=1"), 0);
  EXPECT_EQ(store.begin("in", "k", content("{} ", "a=1"), 0).outcome, Outcome::reused);
  EXPECT_EQ(store.begin("in", "k", content("{}", "a=2"), 0).outcome, Outcome::reused);
  EXPECT_EQ(store.begin("other", "k", content("{}"), 0).outcome, Outcome::fresh);
  EXPECT_NE(content("b", "a"), content("ab", ""));
}

TEST(Idempotency, WhatCameToNothingMayBeTriedAgain) {
  Budget budget(1 << 20);
  IdempotencyStore store(budget, 1 << 20);
  store.begin("in", "k", content("{}"), 0);
  store.forget("in", "k");
  EXPECT_EQ(store.begin("in", "k", content("[]"), 0).outcome, Outcome::fresh);
}

TEST(Idempotency, AnswersGoAfterADayNotBefore) {
  Budget budget(1 << 20);
  IdempotencyStore store(budget, 1 << 20);
  store.begin("in", "k", content("{}"), 0);
  store.finish("in", "k", {});
  EXPECT_EQ(store.begin("in", "k", content("{}"), 24 * kHour - 1).outcome, Outcome::repeat);
  EXPECT_EQ(store.begin("in", "k", content("{}"), 24 * kHour).outcome, Outcome::fresh);
}

TEST(Idempotency, TheOldestAnswersMakeRoomAndWhatIsUnderWayStays) {
  Budget budget(1 << 20);
  {
    IdempotencyStore store(budget, 4096);
    store.begin("in", "under way", content("0"), 0);
    for (int i = 0; i < 100; ++i) {
      const std::string key = "k" + std::to_string(i);
      ASSERT_EQ(store.begin("in", key, content(key), 0).outcome, Outcome::fresh);
      store.finish("in", key, {.status = 200, .media_type = "", .body = std::string(500, 'x')});
      EXPECT_LE(store.bytes(), 4096u);
      EXPECT_EQ(budget.used(Region::fixed), store.bytes());
    }
    EXPECT_EQ(store.begin("in", "under way", content("0"), 0).outcome, Outcome::busy);
    EXPECT_EQ(store.begin("in", "k99", content("k99"), 0).outcome, Outcome::repeat);
    EXPECT_EQ(store.begin("in", "k0", content("k0"), 0).outcome, Outcome::fresh);
  }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(Idempotency, WithoutRoomNothingBegins) {
  Budget budget(1 << 20);
  IdempotencyStore store(budget, 1000);
  int begun = 0;
  while (store.begin("in", "k" + std::to_string(begun), content("x"), 0).outcome ==
         Outcome::fresh) {
    ++begun;
  }
  EXPECT_EQ(begun, 3);  // 256 bytes and the name each
  budget.refuse_once(1);
  store.finish("in", "k0", {});
  EXPECT_EQ(store.begin("in", "again", content("x"), 0).outcome, Outcome::fresh);
}

TEST(Idempotency, AnAnswerTooLargeIsForgotten) {
  Budget budget(1 << 20);
  IdempotencyStore store(budget, 1000);
  store.begin("in", "k", content("x"), 0);
  store.finish("in", "k", {.status = 200, .media_type = "", .body = std::string(2000, 'x')});
  EXPECT_EQ(store.begin("in", "k", content("x"), 0).outcome, Outcome::fresh);
}

}  // namespace
}  // namespace sluice
