#include "entry_points.h"

#include "case_files.h"
#include "fast_entry_points.h"
#include "json/plain_machine.h"
#include "json/plain_select.h"
#include "splits.h"

namespace sluice::json {
namespace {

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
  parsed.reserve(pointers.size());
  for (const std::string& pointer : pointers) parsed.push_back(*Pointer::parse(pointer));
  return Selection(std::move(parsed));
}

}  // namespace sluice::json
