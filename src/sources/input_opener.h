#pragma once

#include <memory>
#include <string>

#include "base/file.h"

namespace sluice {

/// One input: opened when its turn comes.
class InputOpener {
 public:
  virtual ~InputOpener() = default;
  virtual const std::string& name() const = 0;
  virtual Result<std::unique_ptr<Input>> open() = 0;
};

}  // namespace sluice
