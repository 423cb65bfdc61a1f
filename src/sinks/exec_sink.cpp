#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sinks/descriptor_output.h"

extern char** environ;

namespace sluice {
namespace {

constexpr std::uint64_t kKillAfterNs = 2'000'000'000;
constexpr std::uint64_t kLookAgainNs = 20'000'000;

/// A shell command in a process group of its own that reads the records from its standard input.
class CommandOutput final : public ByteOutput, private ReadyHandler, private Timer {
 public:
  CommandOutput(Loop& loop, pid_t child, Descriptor exit_descriptor, Descriptor pipe)
      : loop_(loop),
        child_(child),
        exit_(std::move(exit_descriptor)),
        pipe_(std::move(pipe), DescriptorOutput::Waiting::non_blocking) {
    loop_.watch(exit_.get(), Readiness::readable, *this);
  }
  ~CommandOutput() override;

  Result<std::size_t> write(std::span<const iovec> pieces) override;
  int wait_descriptor() const override { return pipe_.wait_descriptor(); }
  bool broken() const override { return exited_; }
  Result<void> close() override { return pipe_.close(); }
  bool closed() const override { return exited_ && kill_ns_ == 0; }
  Result<void> outcome() const override;
  void abandon() override;

 private:
  void on_ready() override;
  void on_time() override;
  bool group_is_empty() const { return kill(-child_, 0) != 0 && errno == ESRCH; }

  Loop& loop_;
  pid_t child_;
  Descriptor exit_;
  DescriptorOutput pipe_;
  bool exited_ = false;
  int status_ = 0;
  std::uint64_t kill_ns_ = 0;  ///< when an abandoned group is killed; 0: not abandoned, or over
};

CommandOutput::~CommandOutput() {
  loop_.clear(*this);
  if (exited_) return;
  loop_.forget(exit_.get());
  kill(-child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

/// Whoever else holds the pipe, the command has ended, and what it has not read is not delivered.
Result<std::size_t> CommandOutput::write(std::span<const iovec> pieces) {
  if (exited_) return Error{.code = ErrorCode::sink_closed};
  return pipe_.write(pieces);
}

void CommandOutput::on_ready() {
  loop_.forget(exit_.get());
  while (waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
  }
  exited_ = true;
}

void CommandOutput::abandon() {
  static_cast<void>(pipe_.close());
  if (closed() || kill_ns_ != 0) return;
  kill(-child_, SIGTERM);
  kill_ns_ = loop_.now_ns() + kKillAfterNs;
  loop_.set(*this, loop_.now_ns() + kLookAgainNs);
}

/// The shell may be gone while what it started is still there; the group ends with its last one.
void CommandOutput::on_time() {
  const std::uint64_t now = loop_.now_ns();
  if (exited_ && group_is_empty()) {
    kill_ns_ = 0;
  } else if (now >= kill_ns_) {
    kill(-child_, SIGKILL);
    kill_ns_ = exited_ ? 0 : now + kKillAfterNs;
  }
  if (kill_ns_ != 0) loop_.set(*this, now + kLookAgainNs);
}

Result<void> CommandOutput::outcome() const {
  if (WIFSIGNALED(status_)) {
    return Error{.code = ErrorCode::sink_command_signal,
                 .detail = static_cast<std::uint16_t>(WTERMSIG(status_))};
  }
  if (WEXITSTATUS(status_) != 0) {
    return Error{.code = ErrorCode::sink_command_status,
                 .detail = static_cast<std::uint16_t>(WEXITSTATUS(status_))};
  }
  return {};
}

/// The child gets default signals, its own process group and the pipe as standard input.
Result<pid_t> spawn_shell(const std::string& command, int standard_input) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::string shell = "sh";
  std::string option = "-c";
  std::string text = command;
  std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return Error{.code = ErrorCode::sink_open, .system_errno = failed};
  return child;
}

Result<std::unique_ptr<ByteOutput>> make(const std::string& command, const SinkContext& context) {
  if (command.find_first_not_of(" \t") == std::string::npos) {
    return Error{.code = ErrorCode::sink_open, .system_errno = ENOENT};
  }
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error{.code = ErrorCode::sink_open, .system_errno = errno};
  }
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  // Only our end: the flag belongs to the open file, and each end has its own.
  fcntl(write_end.get(), F_SETFL, O_WRONLY | O_NONBLOCK);
  SLUICE_TRY_VALUE(child, spawn_shell(command, read_end.get()));
  const auto exit_descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (exit_descriptor < 0) {
    const int why = errno;
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
    return Error{.code = ErrorCode::sink_open, .system_errno = why};
  }
  fcntl(exit_descriptor, F_SETFD, FD_CLOEXEC);
  return std::make_unique<CommandOutput>(context.loop, child, Descriptor(exit_descriptor),
                                         std::move(write_end));
}

}  // namespace

extern const SinkSpec exec_sink_spec{
    .scheme = "exec:",
    .summary = "runs a command with /bin/sh and writes to its standard input",
    .starts_something = true,
    .example = "--to '/actor/login -> format=text exec:sort -u > logins.txt'",
    .make = make,
};

}  // namespace sluice
