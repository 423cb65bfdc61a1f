#pragma once

namespace sluice {

/// The whole command line; returns the exit code.
int run_app(int argument_count, char** arguments);

}  // namespace sluice
