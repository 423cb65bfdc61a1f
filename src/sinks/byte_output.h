#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/loop.h"

namespace sluice {

/// Device and inode.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;

/// An `Output` of a sink: opened before anything is read, started when all sinks could be opened,
/// and possibly a while in ending, as a child process is.
class ByteOutput : public Output {
 public:
  /// Of what it writes to, where two sinks would spoil it for each other.
  virtual std::optional<FileIdentity> identity() const { return std::nullopt; }
  /// What destroys something (truncating a file) happens here.
  virtual Result<void> start() { return {}; }
  /// After `close`: whether the end has been reached, and how it came out.
  virtual bool closed() const { return true; }
  virtual Result<void> outcome() const { return {}; }
  /// Whether a write would fail at once although one waits for it to get on.
  virtual bool broken() const { return false; }
  /// Stops waiting for whoever reads.
  virtual void abandon() {}
};

/// What the making of an output gets to know of the run.
struct SinkContext {
  Loop& loop;
  const std::vector<FileIdentity>& inputs;  ///< which no sink may overwrite
};

/// The spec of one kind of sink: its form in `--to`, its words in the help, its making.
struct SinkSpec {
  std::string_view scheme;        ///< "file:"; what follows it in the URI goes to `make` verbatim
  std::string_view summary;       ///< one line
  bool starts_something = false;  ///< its making does what cannot be undone, so it comes last
  std::string_view example;
  Result<std::unique_ptr<ByteOutput>> (*make)(const std::string& rest, const SinkContext& context);
};

/// All kinds there are, collected from the *_sink.cpp files by the build.
const std::vector<const SinkSpec*>& sink_specs();

}  // namespace sluice
