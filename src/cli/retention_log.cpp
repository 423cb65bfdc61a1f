#include "cli/retention_log.h"

#include "cli/json_object.h"

namespace sluice {
namespace {

std::string holders_json(std::span<const Holder> holders) {
  std::string text;
  for (const Holder& holder : holders) {
    JsonObject object;
    object.add("projection", std::uint64_t{holder.projection})
        .add("copy_capacity", holder.copy_capacity)
        .add("selected_bytes", holder.selected_bytes)
        .add("remaining_ms", json_milliseconds(holder.remaining_ns));
    text += (text.empty() ? "" : ",") + object.str();
  }
  return "[" + text + "]";
}

}  // namespace

void RetentionLog::on_copy(const CopyDecision& decision) {
  JsonObject object;
  object.add("at_ms", json_milliseconds(decision.at_ns - start_ns_))
      .add("block", std::uint64_t{decision.block})
      .add("records", std::uint64_t{decision.records})
      .add_string("moment", decision.early ? "early" : moment_name(decision.moment))
      .add("capacity", decision.capacity)
      .add("copies_capacity", decision.copies_capacity)
      .add("copied_bytes", decision.copied_bytes);
  if (!decision.early) object.add("holders", holders_json(decision.holders));
  object.add("refused", decision.refused ? "true" : "false");
  text_ += object.str() + "\n";
  if (text_.size() >= kBuffered) flush();
}

void RetentionLog::flush() {
  if (outcome_) {
    outcome_ = file_.write({reinterpret_cast<const std::uint8_t*>(text_.data()), text_.size()});
  }
  text_.clear();
}

Result<void> RetentionLog::close() {
  flush();
  if (!outcome_) return outcome_;
  return file_.close();
}

}  // namespace sluice
