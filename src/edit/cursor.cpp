#include "edit/cursor.h"

namespace sluice::json {

Cursor::Cursor(const Slot& container) : name_tokens_(container.is_object() ? 2 : 0) {
  size_ = container.node ? container.node->size : container.value.size();
  left_ = size_;
  if (left_ == 0) return;
  if (container.node) {
    piece_ = container.node->pieces.data();
    enter_piece();
    return;
  }
  run_ = container.value;
  token_ = run_.token() + 1 + name_tokens_;
  behind_ = run_.index().links[run_.token()];
}

void Cursor::enter_piece() {
  token_ = 0;
  if (!piece_->is_run()) return;
  run_ = piece_->slot.value;
  token_ = run_.token() + name_tokens_;
  behind_ = piece_->behind;
}

void Cursor::advance() {
  if (--left_ == 0) return;
  if (token_ != 0) {
    const std::uint32_t comma = run_.index().behind(token_);
    if (comma < behind_) {
      token_ = comma + 1 + name_tokens_;
      return;
    }
  }
  ++piece_;
  enter_piece();
}

Slot Cursor::slot() const { return token_ == 0 ? piece_->slot : Slot{run_.with_token(token_), {}}; }

Value Cursor::name() const { return token_ == 0 ? piece_->name : run_.with_token(token_ - 2); }

}  // namespace sluice::json
