#include "expectations.h"

#include <gtest/gtest.h>

namespace sluice::json {

void expect_consistent(bool holds, const char* what) { EXPECT_TRUE(holds) << what; }

void expect_everywhere(Text text, const ScanOptions& options, const Error& expected,
                       const std::string& about, const Selection& selection) {
  for (const EntryPoint& entry : entry_points()) {
    if (!entry.takes(text)) continue;
    const Error verdict = entry.verdict(text, options, selection);
    EXPECT_EQ(shown(verdict), shown(expected))
        << entry.name << " on " << about << ": " << shown(text);
  }
}

void expect_fields_everywhere(Text text, const Selection& selection, const std::string& about) {
  const Ranges expected = plain_fields(text, selection);
  for (const EntryPoint& entry : entry_points()) {
    if (!entry.select || !entry.takes(text)) continue;
    EXPECT_EQ(entry.select(text, {}, selection), expected)
        << entry.name << " on " << about << ": " << shown(text);
  }
}

}  // namespace sluice::json
