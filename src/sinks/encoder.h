#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/port.h"
#include "record/record.h"
#include "sinks/batch.h"

namespace sluice {

enum class Format { json, text };

struct EncoderOptions {
  Projection projection;
  std::uint32_t fields = 0;  ///< how many a row of an original block has
  Format format = Format::json;
  bool bare = false;               ///< json, one field: its value alone
  std::vector<std::string> names;  ///< of the projection's fields in the output objects
};

/// Turns records into a sink's bytes, one record a line: the whole record, an object of the
/// selected fields, or one field's text. Stops at any byte where the batch is full and goes on
/// there with the next batch.
class Encoder {
 public:
  /// An empty batch needs room for so many bytes: a decoded character is written whole.
  static constexpr std::size_t kLeastRoom = 4;

  explicit Encoder(EncoderOptions options);

  /// Requires: not active.
  void begin(const Taken& taken);
  bool active() const { return taken_.has_value(); }
  /// Requires: active.
  const Block& block() const { return taken_->block; }
  /// Encodes until the records are done (no longer active) or the batch is full.
  void run(Batch& batch);
  /// Whether a batch since the last `begin` of another block refers to that block's bytes.
  bool refers_to(const Block& block) const { return referred_ == &block; }
  /// The batch was cleared: nothing refers to a block any more, save what goes on in the next.
  void batch_cleared() { referred_ = nullptr; }
  void abandon();
  std::uint64_t decoded_bytes() const { return decoded_bytes_; }

 private:
  /// A short member name with what stands around it, to be copied in one go.
  struct ShortName {
    static constexpr std::size_t kMost = 32;
    std::array<std::uint8_t, kMost> opening{};   ///< {"name":
    std::array<std::uint8_t, kMost> follower{};  ///< ,"name":
    std::size_t size = 0;
  };

  RecordView record() const { return {taken_->block, row_}; }
  std::span<const std::uint8_t> value(std::size_t at) const;
  bool whole(Batch& batch);
  bool whole_run(Batch& batch, std::uint32_t rows, std::span<const std::uint8_t> bytes);
  std::uint32_t run_length() const;
  bool object(Batch& batch);
  void objects_at_once(Batch& batch);
  std::vector<ShortName> short_names() const;
  bool text(Batch& batch);
  bool decoded(Batch& batch, std::span<const std::uint8_t> raw);
  /// One part of the current record, from part_offset_ on; true when it is wholly in the batch.
  bool put(Batch& batch, std::span<const std::uint8_t> bytes);
  /// As put, for JSON text that may hold newlines between tokens: they are written as spaces.
  bool put_json(Batch& batch, std::span<const std::uint8_t> bytes);
  void next_record(Batch& batch);

  EncoderOptions options_;
  std::vector<std::string> openings_;   ///< {"name":
  std::vector<std::string> followers_;  ///< ,"name":
  std::vector<ShortName> short_names_;  ///< of all names, or none when one is long
  std::size_t names_bytes_ = 0;
  std::optional<Taken> taken_;
  std::uint32_t row_ = 0;
  std::uint32_t end_ = 0;
  std::size_t part_ = 0;
  std::size_t part_offset_ = 0;
  bool any_field_ = false;
  bool verbatim_ = false;  ///< the current part can go as it is; decided at its first byte
  const Block* referred_ = nullptr;
  std::uint64_t decoded_bytes_ = 0;
};

}  // namespace sluice
