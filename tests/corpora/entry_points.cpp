#include "entry_points.h"

#include <algorithm>
#include <memory>
#include <random>

#include "case_files.h"
#include "fast_entry_points.h"
#include "json/plain_machine.h"
#include "json/plain_select.h"

namespace sluice::json {
namespace {

constexpr std::size_t kEverySplitMax = 96;
constexpr int kRandomSplits = 6;

/// Feeds `text` cut at the offsets, each piece from memory of exactly its size.
template <class Machine>
Error verdict_in_pieces(Machine& machine, Text text, const std::vector<std::size_t>& cuts) {
  std::size_t done = 0;
  for (std::size_t index = 0; index <= cuts.size(); ++index) {
    const std::size_t end = index < cuts.size() ? cuts[index] : text.size();
    const Bytes piece(text.begin() + done, text.begin() + end);
    const Result<void> fed = machine.feed(piece);
    if (!fed) return fed.error();
    done = end;
  }
  const Result<void> finished = machine.finish();
  return finished ? Error{} : finished.error();
}

std::vector<std::size_t> random_cuts(std::mt19937& random, std::size_t size) {
  std::vector<std::size_t> cuts(1 + random() % 8);
  for (std::size_t& cut : cuts) cut = random() % (size + 1);
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

std::vector<std::vector<std::size_t>> splits_of(std::size_t size) {
  std::vector<std::vector<std::size_t>> splits = {{}};
  if (size <= kEverySplitMax) {
    std::vector<std::size_t> everywhere;
    for (std::size_t cut = 0; cut <= size; ++cut) {
      splits.push_back({cut});
      everywhere.push_back(cut);
    }
    splits.push_back(everywhere);
  } else {
    std::mt19937 random(static_cast<unsigned>(size));
    for (int round = 0; round < kRandomSplits; ++round) splits.push_back(random_cuts(random, size));
  }
  return splits;
}

/// The verdict over all splits, or the first that differs from that over the whole.
template <class Machine>
Error verdict_over_splits(Machine& machine, Text text) {
  const auto splits = splits_of(text.size());
  const Error whole = verdict_in_pieces(machine, text, splits[0]);
  for (const auto& cuts : splits) {
    machine.restart();
    const Error verdict = verdict_in_pieces(machine, text, cuts);
    if (verdict != whole) return verdict;
  }
  return whole;
}

bool takes_all(Text) { return true; }

Error plain_over_splits(Text text, const ScanOptions& options, const Selection&) {
  PlainMachine machine(options);
  return verdict_over_splits(machine, text);
}

std::vector<EntryPoint> make_entry_points() {
  std::vector<EntryPoint> all;
  all.push_back({"PlainMachine", takes_all, plain_over_splits, {}});
  append_fast_entry_points(all);
  return all;
}

}  // namespace

Error plain_verdict(Text text, const ScanOptions& options) {
  PlainMachine machine(options);
  return verdict_in_pieces(machine, text, {});
}

Ranges plain_fields(Text text, const Selection& selection) {
  std::vector<std::uint64_t> row(row_words(selection.size()));
  plain_select(text, selection, row.data());
  return ranges_of(row, selection.size());
}

const std::vector<EntryPoint>& entry_points() {
  static const std::vector<EntryPoint> all = make_entry_points();
  return all;
}

Selection selection_of(const std::vector<std::string>& pointers) {
  std::vector<Pointer> parsed;
  for (const std::string& pointer : pointers) parsed.push_back(*Pointer::parse(pointer));
  return Selection(std::move(parsed));
}

}  // namespace sluice::json
