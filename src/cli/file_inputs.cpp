#include "cli/file_inputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "base/standard_descriptors.h"

namespace sluice {
namespace {

class FileInput final : public InputOpener {
 public:
  explicit FileInput(std::string path) : path_(std::move(path)) {}
  const std::string& name() const override { return path_; }
  Result<std::unique_ptr<Input>> open() override;

 private:
  std::string path_;
};

Result<std::unique_ptr<Input>> FileInput::open() {
  if (path_ == "-") {
    if (standard_was_closed(STDIN_FILENO)) {
      return Error{.code = ErrorCode::input_open, .system_errno = EBADF};
    }
    Descriptor standard_input(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!standard_input.is_open()) {
      return Error{.code = ErrorCode::input_open, .system_errno = errno};
    }
    return std::make_unique<DescriptorInput>(std::move(standard_input));
  }
  SLUICE_TRY_VALUE(descriptor, open_input(path_));
  return std::make_unique<DescriptorInput>(std::move(descriptor));
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status{};
  const int failed = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  if (failed != 0) return std::nullopt;
  return status;
}

std::vector<std::string> or_standard_input(const std::vector<std::string>& paths) {
  return paths.empty() ? std::vector<std::string>{"-"} : paths;
}

}  // namespace

std::vector<std::unique_ptr<InputOpener>> make_file_inputs(const std::vector<std::string>& paths) {
  std::vector<std::unique_ptr<InputOpener>> inputs;
  for (const std::string& path : or_standard_input(paths)) {
    inputs.push_back(std::make_unique<FileInput>(path));
  }
  return inputs;
}

std::vector<FileIdentity> input_identities(const std::vector<std::string>& paths) {
  std::vector<FileIdentity> identities;
  for (const std::string& path : or_standard_input(paths)) {
    const auto status = status_of(path);
    if (status && S_ISREG(status->st_mode)) identities.emplace_back(status->st_dev, status->st_ino);
  }
  return identities;
}

std::uint64_t input_bytes(const std::vector<std::string>& paths) {
  std::uint64_t bytes = 0;
  for (const std::string& path : or_standard_input(paths)) {
    const auto status = status_of(path);
    if (!status || !S_ISREG(status->st_mode)) return 0;
    bytes += static_cast<std::uint64_t>(status->st_size);
  }
  return bytes;
}

}  // namespace sluice
