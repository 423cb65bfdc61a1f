#pragma once

/// Small services in C++: include <sluice/app.h>, link sluice::app. docs/services.md shows how.
#include "app/app.h"
