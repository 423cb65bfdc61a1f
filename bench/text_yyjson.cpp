// The text benchmark's work by yyjson, in situ: over a fresh copy of the text each time, which is
// in the time, as it is for everybody who wants to keep the text. Its memory is used again.

#include <yyjson.h>

#include <vector>

#include "text_jobs.h"
#include "typed_documents.h"

namespace {

using bench::answer_of;

class Reader {
 public:
  explicit Reader(std::size_t size)
      : pool_(yyjson_read_max_memory_usage(size, YYJSON_READ_INSITU)),
        copy_(size + YYJSON_PADDING_SIZE) {}

  /// Null when it is no JSON. Valid until the next call.
  yyjson_doc* read(std::string_view text) {
    yyjson_alc_pool_init(&allocator_, pool_.data(), pool_.size());
    std::memcpy(copy_.data(), text.data(), text.size());
    return yyjson_read_opts(copy_.data(), text.size(), YYJSON_READ_INSITU, &allocator_, nullptr);
  }

 private:
  std::vector<char> pool_;
  std::vector<char> copy_;
  yyjson_alc allocator_{};
};

enum : unsigned { kNumbers = 1, kStrings = 2, kOthers = 4 };

template <unsigned kWhat>
std::uint64_t sum_of(yyjson_val* value) {
  std::uint64_t sum = 0;
  std::size_t index;
  std::size_t max;
  yyjson_val* key;
  yyjson_val* each;
  switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_ARR:
      yyjson_arr_foreach(value, index, max, each) sum += sum_of<kWhat>(each);
      return sum;
    case YYJSON_TYPE_OBJ:
      yyjson_obj_foreach(value, index, max, key, each) sum += sum_of<kWhat>(each);
      return sum;
    case YYJSON_TYPE_STR:
      return kWhat & kStrings ? yyjson_get_len(value) : 0;
    case YYJSON_TYPE_BOOL:
      return kWhat & kOthers ? bench::sum_of(yyjson_get_bool(value)) : 0;
    case YYJSON_TYPE_NUM:
      return kWhat & kNumbers ? bench::sum_of(yyjson_get_num(value)) : 0;
    default:
      return 0;
  }
}

int serve_document(const std::string& text, bool sum) {
  Reader reader(text.size());
  yyjson_doc* const once = reader.read(text);
  const std::uint64_t checked =
      once != nullptr && sum ? sum_of < kNumbers | kStrings | kOthers > (yyjson_doc_get_root(once))
                             : std::uint64_t{0};
  return bench::serve(
      text, [&](std::string_view all) { return answer_of(reader.read(all) != nullptr, checked); });
}

template <unsigned kWhat>
int serve_sum(const std::string& text) {
  Reader reader(text.size());
  return bench::serve(text, [&](std::string_view all) {
    yyjson_doc* const document = reader.read(all);
    return answer_of(document != nullptr,
                     document == nullptr ? 0 : sum_of<kWhat>(yyjson_doc_get_root(document)));
  });
}

std::string text_of(yyjson_val* value) { return {yyjson_get_str(value), yyjson_get_len(value)}; }

void read_brief(yyjson_val* root, bench::twitter::BriefTimeline& out) {
  std::size_t index;
  std::size_t max;
  yyjson_val* status;
  yyjson_arr_foreach(yyjson_obj_get(root, "statuses"), index, max, status) {
    auto& brief = out.statuses.emplace_back();
    brief.id = yyjson_get_uint(yyjson_obj_get(status, "id"));
    brief.text = text_of(yyjson_obj_get(status, "text"));
    yyjson_val* const user = yyjson_obj_get(status, "user");
    brief.user.screen_name = text_of(yyjson_obj_get(user, "screen_name"));
    brief.user.followers_count = yyjson_get_uint(yyjson_obj_get(user, "followers_count"));
    brief.retweet_count = yyjson_get_uint(yyjson_obj_get(status, "retweet_count"));
  }
}

int serve_brief(const std::string& text) {
  Reader reader(text.size());
  const auto read = [&](std::string_view all, bench::twitter::BriefTimeline& out) {
    yyjson_doc* const document = reader.read(all);
    if (document == nullptr) return false;
    read_brief(yyjson_doc_get_root(document), out);
    return true;
  };
  bench::twitter::BriefTimeline once;
  const bool good = read(text, once);
  const std::uint64_t checked = bench::sum_of_typed(once);
  return bench::serve(text, [&](std::string_view all) {
    bench::twitter::BriefTimeline value;
    return answer_of(read(all, value) && good, checked);
  });
}

/// The tree is read once; its text goes each time to the same memory.
int serve_write(const std::string& text) {
  Reader reader(text.size());
  yyjson_doc* const document = reader.read(text);
  std::vector<char> pool(16 * text.size() + (1 << 20));
  const auto write = [&] {
    yyjson_alc allocator{};
    yyjson_alc_pool_init(&allocator, pool.data(), pool.size());
    std::size_t size = 0;
    const char* const written =
        yyjson_write_opts(document, YYJSON_WRITE_NOFLAG, &allocator, &size, nullptr);
    return std::string_view(written, written == nullptr ? 0 : size);
  };
  const std::string once(write());
  Reader again(once.size());
  const std::uint64_t checked =
      sum_of < kNumbers | kStrings | kOthers > (yyjson_doc_get_root(again.read(once)));
  return bench::serve(
      text, [&](std::string_view) { return answer_of(write().size() == once.size(), checked); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string text = bench::load(argv[2]);
  const std::string_view job = argv[1];
  if (job == "check") return serve_document(text, false);
  if (job == "document" || job == "on_demand") return serve_document(text, true);
  if (job == "numbers") return serve_sum<kNumbers>(text);
  if (job == "strings") return serve_sum<kStrings>(text);
  if (job == "brief") return serve_brief(text);
  if (job == "write") return serve_write(text);
  return 2;
}
