#include "sinks/encoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "json/quote.h"
#include "json/unescape.h"

namespace sluice {
namespace {

constexpr std::array<std::uint8_t, 3> kEmptyObject{'{', '}', '\n'};
constexpr std::span<const std::uint8_t> kObjectEnd = std::span(kEmptyObject).subspan(1);
constexpr std::span<const std::uint8_t> kNewline = std::span(kEmptyObject).subspan(2);

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string member_start(char before, const std::string& name) {
  return before + json::quoted(name) + ':';
}

std::uint8_t* append(std::uint8_t* to, std::span<const std::uint8_t> bytes) {
  std::memcpy(to, bytes.data(), bytes.size());
  return to + bytes.size();
}

}  // namespace

Encoder::Encoder(EncoderOptions options) : options_(std::move(options)) {
  for (const std::string& name : options_.names) {
    openings_.push_back(member_start('{', name));
    followers_.push_back(member_start(',', name));
    names_bytes_ += followers_.back().size();
  }
  const auto is_short = [](const std::string& name) { return name.size() <= ShortName::kMost; };
  const bool objects = options_.format == Format::json && !options_.bare;
  if (objects && std::ranges::all_of(openings_, is_short)) short_names_ = short_names();
}

std::vector<Encoder::ShortName> Encoder::short_names() const {
  std::vector<ShortName> names(openings_.size());
  for (std::size_t at = 0; at < names.size(); ++at) {
    names[at].size = openings_[at].size();
    std::ranges::copy(bytes_of(openings_[at]), names[at].opening.begin());
    std::ranges::copy(bytes_of(followers_[at]), names[at].follower.begin());
  }
  return names;
}

void Encoder::begin(const Taken& taken) {
  SLUICE_CHECK(!active());
  taken_.emplace(taken);
  row_ = taken.first;
  end_ = taken.first + taken.count;
  part_ = 0;
  part_offset_ = 0;
}

void Encoder::abandon() {
  taken_.reset();
  referred_ = nullptr;
}

void Encoder::run(Batch& batch) {
  const bool at_once = !short_names_.empty() && !taken_->block.multiline();
  while (row_ < end_ && !batch.full()) {
    if (!batch.can_mark()) return;
    if (at_once && part_ == 0 && part_offset_ == 0) objects_at_once(batch);
    if (row_ == end_ || batch.full()) break;
    const bool done = options_.projection.whole         ? whole(batch)
                      : options_.format == Format::text ? text(batch)
                                                        : object(batch);
    if (!done) return;
  }
  if (row_ == end_) taken_.reset();
}

std::span<const std::uint8_t> Encoder::value(std::size_t at) const {
  if (taken_->block.is_copy()) return taken_->block.piece(row_, static_cast<std::uint32_t>(at));
  return record().field(options_.projection.fields[at], options_.fields);
}

void Encoder::next_record(Batch& batch) {
  batch.mark_record();
  ++row_;
  part_ = 0;
  part_offset_ = 0;
}

bool Encoder::put(Batch& batch, std::span<const std::uint8_t> bytes) {
  const auto rest = bytes.subspan(part_offset_);
  if (rest.size() >= Batch::kReferredBytes) {
    referred_ = &taken_->block;
    part_offset_ += batch.refer(rest);
  } else {
    part_offset_ += batch.copy(rest);
  }
  if (part_offset_ < bytes.size()) return false;
  part_offset_ = 0;
  return true;
}

bool Encoder::put_json(Batch& batch, std::span<const std::uint8_t> bytes) {
  if (part_offset_ == 0) {
    verbatim_ = !taken_->block.multiline() || std::ranges::find(bytes, '\n') == bytes.end();
  }
  if (verbatim_) return put(batch, bytes);
  while (part_offset_ < bytes.size()) {
    const auto room = batch.writable(1);
    if (room.empty()) return false;
    const std::size_t size = std::min(room.size(), bytes.size() - part_offset_);
    std::ranges::replace_copy(bytes.subspan(part_offset_, size), room.begin(), '\n', ' ');
    batch.commit(size);
    part_offset_ += size;
  }
  part_offset_ = 0;
  return true;
}

/// How many records from row_ on lie one behind the other, each with its newline.
std::uint32_t Encoder::run_length() const {
  if (taken_->block.multiline()) return 0;
  std::uint32_t row = row_;
  auto body = RecordView(taken_->block, row).body();
  while (true) {
    const std::uint8_t* const end = body.data() + body.size();
    if (*end != '\n') return row - row_;
    if (++row == end_) return row - row_;
    body = RecordView(taken_->block, row).body();
    if (body.data() != end + 1) return row - row_;
  }
}

bool Encoder::whole(Batch& batch) {
  if (part_ == 0) {
    if (const std::uint32_t rows = run_length(); rows > 0) {
      const auto first = record().body();
      const auto last = RecordView(taken_->block, row_ + rows - 1).body();
      return whole_run(batch, rows, {first.data(), last.data() + last.size() + 1});
    }
    if (!put_json(batch, record().body())) return false;
    part_ = 1;
  }
  if (!put(batch, kNewline)) return false;
  next_record(batch);
  return true;
}

bool Encoder::whole_run(Batch& batch, std::uint32_t rows, std::span<const std::uint8_t> bytes) {
  const auto rest = bytes.subspan(part_offset_);
  if (rest.size() < Batch::kReferredBytes) {
    for (std::uint32_t done = 0; done < rows; ++done) {
      const auto body = record().body();
      if (!batch.can_mark() || !put(batch, {body.data(), body.size() + 1})) return false;
      next_record(batch);
    }
    return true;
  }
  const std::size_t taken = batch.refer_run(taken_->block, row_, rows, rest);
  if (taken == 0) return false;
  referred_ = &taken_->block;
  const std::uint32_t next =
      first_row_beyond(taken_->block, row_, row_ + rows, rest.data() + taken);
  const bool all = next == row_ + rows;
  part_offset_ = all ? 0
                     : static_cast<std::size_t>(rest.data() + taken -
                                                RecordView(taken_->block, next).body().data());
  row_ = next;
  return all;
}

bool Encoder::object(Batch& batch) {
  const std::size_t fields = options_.projection.fields.size();
  if (part_ == 0 && part_offset_ == 0) any_field_ = false;
  for (; part_ < 2 * fields; ++part_) {
    const std::size_t at = part_ / 2;
    const auto bytes = value(at);
    if (bytes.empty()) continue;
    if (part_ % 2 == 0) {
      if (options_.bare) continue;
      if (!put(batch, bytes_of(any_field_ ? followers_[at] : openings_[at]))) return false;
    } else {
      if (!put_json(batch, bytes)) return false;
      any_field_ = true;
    }
  }
  std::span<const std::uint8_t> end = kEmptyObject;
  if (any_field_) end = options_.bare ? kNewline : kObjectEnd;
  if (options_.bare && !any_field_) end = {};
  if (!put(batch, end)) return false;
  next_record(batch);
  return true;
}

/// The common case: records that fit as a whole are put together where they will lie. Ends at one
/// that does not fit, or has a field that is to be referred to.
void Encoder::objects_at_once(Batch& batch) {
  const std::span<const ShortName> names = short_names_;
  const std::size_t around = names_bytes_ + ShortName::kMost + kEmptyObject.size();
  while (row_ < end_ && batch.can_mark()) {
    const std::size_t room = std::min(batch.copy_room(), Batch::kReferredBytes);
    if (room < around) return;
    std::size_t left = room - around;
    std::uint8_t* const start = batch.copy_place();
    std::uint8_t* to = start;
    for (std::size_t at = 0; at < names.size(); ++at) {
      const auto bytes = value(at);
      if (bytes.empty()) continue;
      if (bytes.size() > left) return;
      left -= bytes.size();
      const auto& name = to == start ? names[at].opening : names[at].follower;
      std::memcpy(to, name.data(), name.size());  // more than it has: there is room
      to = append(to + names[at].size, bytes);
    }
    to = append(to, to == start ? kEmptyObject : kObjectEnd);
    batch.commit(static_cast<std::size_t>(to - start));
    batch.mark_record();
    ++row_;
  }
}

bool Encoder::text(Batch& batch) {
  const auto bytes = value(0);
  if (bytes.empty()) {
    next_record(batch);
    return true;
  }
  if (part_ == 0) {
    const bool is_string = bytes.front() == '"';
    const bool done =
        is_string ? decoded(batch, bytes.subspan(1, bytes.size() - 2)) : put_json(batch, bytes);
    if (!done) return false;
    part_ = 1;
  }
  if (!put(batch, kNewline)) return false;
  next_record(batch);
  return true;
}

bool Encoder::decoded(Batch& batch, std::span<const std::uint8_t> raw) {
  if (part_offset_ == 0) verbatim_ = std::memchr(raw.data(), '\\', raw.size()) == nullptr;
  if (verbatim_) return put(batch, raw);
  while (part_offset_ < raw.size()) {
    const auto room = batch.writable(kLeastRoom);
    if (room.empty()) return false;
    const json::Unescaped step = json::unescape(raw.subspan(part_offset_), room);
    batch.commit(step.written);
    part_offset_ += step.read;
    decoded_bytes_ += step.written;
  }
  part_offset_ = 0;
  return true;
}

}  // namespace sluice
