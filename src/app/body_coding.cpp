#include "app/body_coding.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>

#include "http/head.h"

namespace sluice {
namespace {

/// What the libraries take for themselves while they work; neither needs a window beside the
/// output, which is contiguous.
constexpr std::size_t kGzipBytes = 64 * 1024;
constexpr std::size_t kZstdBytes = 256 * 1024;

constexpr std::size_t kSmallest = 4 * 1024;

/// Counts memory of a library as long as it is used.
class Loan {
 public:
  Loan(Budget& budget, std::size_t bytes)
      : budget_(budget), bytes_(budget.try_take(Region::parser, bytes) ? bytes : 0) {}
  ~Loan() { budget_.give_back(Region::parser, bytes_); }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  explicit operator bool() const { return bytes_ > 0; }

 private:
  Budget& budget_;
  std::size_t bytes_;
};

/// The output, which grows.
class Growing {
 public:
  Growing(Pool& pool, std::size_t most, std::size_t padding)
      : pool_(pool), most_(most), padding_(padding) {}

  /// Makes it hold `size` bytes, `most` and one at the most: the one tells that there is more.
  bool reserve(std::size_t size) {
    const std::size_t wanted = std::min(size, most_ + 1) + padding_;
    if (buffer_) return wanted <= buffer_.capacity() || pool_.grow(buffer_, wanted);
    std::optional<Buffer> taken = pool_.take(wanted, Region::input);
    if (taken) buffer_ = std::move(*taken);
    return taken.has_value();
  }
  std::size_t room() const { return std::min(buffer_.capacity() - padding_, most_ + 1); }
  std::uint8_t* data() const { return buffer_.data(); }
  Buffer take() { return std::move(buffer_); }

 private:
  Pool& pool_;
  std::size_t most_;
  std::size_t padding_;
  Buffer buffer_;
};

Error error(ErrorCode code) { return {.code = code}; }

/// All members of it: they decode to one text (RFC 1952, 2.2).
Result<std::size_t> inflate_all(z_stream& stream, std::size_t most, Growing& out) {
  std::size_t size = 0;
  while (true) {
    if (size == out.room() && !out.reserve(2 * size)) return error(ErrorCode::budget_full);
    stream.next_out = out.data() + size;
    stream.avail_out = static_cast<uInt>(out.room() - size);
    const int status = inflate(&stream, Z_NO_FLUSH);
    size = static_cast<std::size_t>(stream.next_out - out.data());
    if (size > most) return error(ErrorCode::body_limit);
    if (status == Z_STREAM_END) {
      if (stream.avail_in == 0) return size;
      inflateReset(&stream);
      continue;
    }
    const bool wants_room = status == Z_OK || (status == Z_BUF_ERROR && stream.avail_out == 0);
    if (!wants_room || (stream.avail_in == 0 && stream.avail_out > 0)) {
      return error(ErrorCode::body_coding);
    }
  }
}

Result<std::size_t> gunzip(std::span<const std::uint8_t> body, std::size_t most, Growing& out,
                           Pool& pool) {
  const Loan loan(pool.budget(), kGzipBytes);
  if (!loan || !out.reserve(std::max(kSmallest, 4 * body.size()))) {
    return error(ErrorCode::budget_full);
  }
  constexpr int kGzipOnly = 16;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly + MAX_WBITS) != Z_OK) return error(ErrorCode::budget_full);
  stream.next_in = const_cast<Bytef*>(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  const Result<std::size_t> size = inflate_all(stream, most, out);
  inflateEnd(&stream);
  return size;
}

/// How large the frames of a body are together (RFC 8878, 3: they decode to one text), where each
/// of them tells. Errors: body_coding.
Result<std::optional<std::uint64_t>> told_size(std::span<const std::uint8_t> body) {
  std::optional<std::uint64_t> all = 0;
  do {
    const unsigned long long told = ZSTD_getFrameContentSize(body.data(), body.size());
    const std::size_t frame = ZSTD_findFrameCompressedSize(body.data(), body.size());
    if (told == ZSTD_CONTENTSIZE_ERROR || ZSTD_isError(frame) != 0) {
      return error(ErrorCode::body_coding);
    }
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    if (told == ZSTD_CONTENTSIZE_UNKNOWN) {
      all.reset();
    } else if (all) {
      all = std::min<std::uint64_t>(*all + std::min<std::uint64_t>(told, kMost), kMost);
    }
    body = body.subspan(frame);
  } while (!body.empty());
  return all;
}

/// Into contiguous memory at once: where its size is not told, it is tried with more and more.
Result<std::size_t> unzstd(std::span<const std::uint8_t> body, std::size_t most, Growing& out,
                           Pool& pool) {
  const Loan loan(pool.budget(), kZstdBytes);
  if (!loan) return error(ErrorCode::budget_full);
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  if (!context) return error(ErrorCode::budget_full);
  const auto told = told_size(body);
  if (!told) return told.error();
  const bool known = told->has_value();
  if (known && **told > most) return error(ErrorCode::body_limit);
  std::size_t wanted =
      known ? static_cast<std::size_t>(**told) : std::max(kSmallest, 4 * body.size());
  while (true) {
    if (!out.reserve(std::max<std::size_t>(wanted, 1))) return error(ErrorCode::budget_full);
    const std::size_t size =
        ZSTD_decompressDCtx(context.get(), out.data(), out.room(), body.data(), body.size());
    if (ZSTD_isError(size) == 0) {
      if (size > most) return error(ErrorCode::body_limit);
      return size;
    }
    const bool too_small = ZSTD_getErrorCode(size) == ZSTD_error_dstSize_tooSmall;
    if (!too_small || known) return error(ErrorCode::body_coding);
    if (out.room() == most + 1) return error(ErrorCode::body_limit);
    wanted = 2 * out.room();
  }
}

}  // namespace

std::optional<Coding> coding_of(std::string_view content_encoding) {
  if (content_encoding.empty() || http::same_name(content_encoding, "identity")) {
    return Coding::identity;
  }
  if (http::same_name(content_encoding, "gzip") || http::same_name(content_encoding, "x-gzip")) {
    return Coding::gzip;
  }
  if (http::same_name(content_encoding, "zstd")) return Coding::zstd;
  return std::nullopt;
}

Result<DecodedBody> decode_body(Coding coding, std::span<const std::uint8_t> body, std::size_t most,
                                std::size_t padding, Pool& pool) {
  Growing out(pool, most, padding);
  const Result<std::size_t> size =
      coding == Coding::gzip ? gunzip(body, most, out, pool) : unzstd(body, most, out, pool);
  if (!size) return size.error();
  return DecodedBody{.buffer = out.take(), .size = *size};
}

}  // namespace sluice
