// floor INPUT OUTPUT...: the unavoidable part of a fan-out. Reads the input and writes the same
// bytes to every output, 64 KiB at a time from an aligned buffer; no preallocation, no check.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t kPiece = 64 * 1024;
alignas(4096) char piece[kPiece];

int open_or_exit(const char* path, int flags) {
  const int file = open(path, flags | O_CLOEXEC, 0644);
  if (file >= 0) return file;
  std::fprintf(stderr, "floor: %s: %s\n", path, std::strerror(errno));
  _exit(1);
}

// Fills the piece up to the end of the input, so that every write but the last is aligned.
std::size_t read_piece(int input) {
  std::size_t size = 0;
  while (size < kPiece) {
    const ssize_t got = read(input, piece + size, kPiece - size);
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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int input = open_or_exit(argv[1], O_RDONLY);
  std::vector<int> outputs;
  for (int i = 2; i < argc; ++i) {
    outputs.push_back(open_or_exit(argv[i], O_WRONLY | O_CREAT | O_TRUNC));
  }
  while (const std::size_t size = read_piece(input)) {
    for (const int output : outputs) write_piece(output, size);
  }
  for (const int output : outputs) {
    if (close(output) != 0) return 1;
  }
  return 0;
}
