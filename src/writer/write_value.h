#pragma once

#include <string>

#include "base/result.h"
#include "document/value.h"
#include "writer/output.h"
#include "writer/writer.h"

namespace sluice::json {

/// Writes a value of a document. Numbers, literals and strings stay as they were written; only the
/// blanks between them change: none when compact, else line ends and indents. So what was compact
/// is copied byte for byte.
/// Of `options` only the indent matters. Errors of the output: why the value is absent.
/// Cost, compact: a pass over the text, without a look at its tokens.
void write_value(Output& out, const Value& value, const WriteOptions& options = {});

/// The same to a string. Errors: why the value is absent; out_of_memory.
Result<std::string> write(const Value& value, const WriteOptions& options = {});

}  // namespace sluice::json
