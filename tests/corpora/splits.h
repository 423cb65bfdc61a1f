#pragma once

#include <vector>

#include "case_files.h"
#include "entry_points.h"

namespace sluice::json {

/// Ways to cut a text of `size` bytes, each a list of offsets; the first is not to cut it. Small
/// texts: every split in two, and every byte alone. Large ones: some at random, the same for the
/// same size.
std::vector<std::vector<std::size_t>> splits_of(std::size_t size);

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

}  // namespace sluice::json
