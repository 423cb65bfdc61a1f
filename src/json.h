#pragma once

/// The JSON library: include <sluice/json.h>, link sluice::json. docs/json/guide.md shows how.
#include "document/document.h"
#include "edit/edited_document.h"
#include "json/checker.h"
#include "json/document_scanner.h"
#include "json/error_text.h"
#include "json/line_scanner.h"
#include "json/pointer.h"
#include "json/scan.h"
#include "json/value_cutter.h"
#include "number/read.h"
#include "typed/explain.h"
#include "typed/line_reader.h"
#include "typed/read.h"
#include "typed/write.h"
#include "writer/write_value.h"
#include "writer/writer.h"
