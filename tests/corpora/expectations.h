#pragma once

#include <string>

#include "case_files.h"
#include "entry_points.h"

namespace sluice::json {

/// Fails the current test for each way whose verdict is not `expected`.
void expect_everywhere(Text text, const ScanOptions& options, const Error& expected,
                       const std::string& about, const Selection& selection = {});

/// Fails the current test for each way whose fields are not those of plain_select.
void expect_fields_everywhere(Text text, const Selection& selection, const std::string& about);

}  // namespace sluice::json
