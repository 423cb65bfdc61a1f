// floor [--tricks] INPUT OUTPUT...: the unavoidable part of a fan-out. Reads the input and writes
// the same bytes to every output, 64 KiB at a time from an aligned buffer; no preallocation, no
// check. With --tricks, what is known to make writing cheaper: pieces of 256 KiB, and space that is
// allocated 8 MiB ahead.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t kPlainPiece = 64 * 1024;
constexpr std::size_t kLargePiece = 256 * 1024;
constexpr off_t kAhead = 8 * 1024 * 1024;
alignas(4096) char piece[kLargePiece];

int open_or_exit(const char* path, int flags) {
  const int file = open(path, flags | O_CLOEXEC, 0644);
  if (file >= 0) return file;
  std::fprintf(stderr, "floor: %s: %s\n", path, std::strerror(errno));
  _exit(1);
}

// Fills the piece up to the end of the input, so that every write but the last is aligned.
std::size_t read_piece(int input, std::size_t limit) {
  std::size_t size = 0;
  while (size < limit) {
    const ssize_t got = read(input, piece + size, limit - size);
    if (got < 0) _exit(1);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

void write_piece(int output, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t put = write(output, piece + done, size - done);
    if (put < 0) _exit(1);
    done += static_cast<std::size_t>(put);
  }
}

// Not every file system can; it is an aid, not a need.
void allocate_ahead(int output, off_t written) {
  if (written % kAhead == 0) (void)fallocate(output, FALLOC_FL_KEEP_SIZE, written, kAhead);
}

void copy(int input, const std::vector<int>& outputs, bool tricks) {
  off_t written = 0;
  while (const std::size_t size = read_piece(input, tricks ? kLargePiece : kPlainPiece)) {
    for (const int output : outputs) {
      if (tricks) allocate_ahead(output, written);
      write_piece(output, size);
    }
    written += static_cast<off_t>(size);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool tricks = argc > 1 && std::strcmp(argv[1], "--tricks") == 0;
  const int first = tricks ? 2 : 1;
  if (argc <= first) return 2;
  const int input = open_or_exit(argv[first], O_RDONLY);
  std::vector<int> outputs;
  for (int i = first + 1; i < argc; ++i) {
    outputs.push_back(open_or_exit(argv[i], O_WRONLY | O_CREAT | O_TRUNC));
  }
  copy(input, outputs, tricks);
  for (const int output : outputs) {
    if (close(output) != 0) return 1;
  }
  return 0;
}
