// The text benchmark's work by simdjson: its DOM, which checks and converts everything, and for
// structs its On-Demand interface, which is faster there but does not check what it passes.

#include <simdjson.h>

#include <type_traits>

#include "text_jobs.h"
#include "typed_documents.h"

namespace {

namespace json = sluice::json;
namespace dom = simdjson::dom;
namespace ondemand = simdjson::ondemand;
using bench::answer_of;

double as_double(dom::element value) {
  if (value.is_int64()) return static_cast<double>(int64_t(value));
  if (value.is_uint64()) return static_cast<double>(uint64_t(value));
  return double(value);
}

enum : unsigned { kNumbers = 1, kStrings = 2, kOthers = 4 };

template <unsigned kWhat>
std::uint64_t sum_of(dom::element value) {
  std::uint64_t sum = 0;
  switch (value.type()) {
    case dom::element_type::ARRAY:
      for (const dom::element each : dom::array(value)) sum += sum_of<kWhat>(each);
      return sum;
    case dom::element_type::OBJECT:
      for (const auto field : dom::object(value)) sum += sum_of<kWhat>(field.value);
      return sum;
    case dom::element_type::STRING:
      return kWhat & kStrings ? std::string_view(value).size() : 0;
    case dom::element_type::BOOL:
      return kWhat & kOthers ? bench::sum_of(bool(value)) : 0;
    case dom::element_type::NULL_VALUE:
      return 0;
    default:
      return kWhat & kNumbers ? bench::sum_of(as_double(value)) : 0;
  }
}

/// Structs by hand: the fields in the order of the text, the next expected name compared first.
template <class T>
bool read_typed(ondemand::value value, T& out);

template <class T, std::size_t... kIndex>
bool read_member(ondemand::value value, T& out, std::size_t index, std::index_sequence<kIndex...>) {
  bool good = false;
  auto members = json::members_of(out);
  static_cast<void>(
      ((kIndex == index && (good = read_typed(value, std::get<kIndex>(members)), true)) || ...));
  return good;
}

template <class T>
bool read_struct(ondemand::value value, T& out) {
  constexpr std::size_t kCount = json::kMemberCount<T>;
  constexpr auto& kNames = json::kMemberNames<T>;
  ondemand::object object;
  if (value.get_object().get(object)) return false;
  std::size_t expected = 0;
  for (auto field_result : object) {
    ondemand::field field;
    if (std::move(field_result).get(field)) return false;
    const std::string_view key = field.escaped_key();
    std::size_t index = expected;
    if (index >= kCount || kNames[index] != key) {
      index = static_cast<std::size_t>(std::ranges::find(kNames, key) - kNames.begin());
      if (index == kCount) continue;
    }
    if (!read_member(field.value(), out, index, std::make_index_sequence<kCount>{})) return false;
    expected = index + 1;
  }
  return true;
}

template <class T>
bool read_map(ondemand::value value, T& out) {
  ondemand::object object;
  if (value.get_object().get(object)) return false;
  for (auto field_result : object) {
    ondemand::field field;
    if (std::move(field_result).get(field)) return false;
    std::string key(std::string_view(field.unescaped_key()));
    if (!read_typed(field.value(), out[std::move(key)])) return false;
  }
  return true;
}

template <class T>
bool read_vector(ondemand::value value, T& out) {
  ondemand::array array;
  if (value.get_array().get(array)) return false;
  for (auto element_result : array) {
    ondemand::value element;
    if (std::move(element_result).get(element)) return false;
    if (!read_typed(element, out.emplace_back())) return false;
  }
  return true;
}

template <class T>
bool read_integer(ondemand::value value, T& out) {
  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> wide = 0;
  if (value.get(wide)) return false;
  out = static_cast<T>(wide);
  return std::in_range<T>(wide);
}

template <class T>
bool read_typed(ondemand::value value, T& out) {
  if constexpr (std::same_as<T, bool>) {
    return value.get_bool().get(out) == simdjson::SUCCESS;
  } else if constexpr (std::same_as<T, double>) {
    return value.get_double().get(out) == simdjson::SUCCESS;
  } else if constexpr (std::integral<T>) {
    return read_integer(value, out);
  } else if constexpr (std::same_as<T, std::string>) {
    std::string_view text;
    if (value.get_string().get(text)) return false;
    out.assign(text);
    return true;
  } else if constexpr (json::reflection::kIsOptional<T>) {
    return value.is_null() || read_typed(value, out.emplace());
  } else if constexpr (json::reflection::kIsPointer<T>) {
    if (value.is_null()) return true;
    out = std::make_unique<typename T::element_type>();
    return read_typed(value, *out);
  } else if constexpr (json::Map<T>) {
    return read_map(value, out);
  } else if constexpr (json::Sequence<T>) {
    return read_vector(value, out);
  } else {
    return read_struct(value, out);
  }
}

using Padded = simdjson::padded_string_view;

template <class T>
bool read_all(ondemand::parser& parser, Padded text, T& out) {
  ondemand::document document;
  ondemand::value root;
  return !parser.iterate(text).get(document) && !document.get_value().get(root) &&
         read_typed(root, out);
}

template <class T>
int serve_typed(const std::string& text) {
  ondemand::parser parser;
  const Padded padded(text.data(), text.size(), text.size() + bench::kPadding);
  T once;
  const bool good = read_all(parser, padded, once);
  const std::uint64_t checked = bench::sum_of_typed(once);
  return bench::serve(text, [&](std::string_view) {
    T value;
    return answer_of(read_all(parser, padded, value) && good, checked);
  });
}

int serve_document(const std::string& text, bool sum) {
  dom::parser parser;
  dom::element root;
  const bool good = !parser.parse(text.data(), text.size(), false).get(root);
  const std::uint64_t checked =
      good && sum ? sum_of < kNumbers | kStrings | kOthers > (root) : std::uint64_t{0};
  return bench::serve(text, [&](std::string_view all) {
    return answer_of(!parser.parse(all.data(), all.size(), false).get(root), checked);
  });
}

template <unsigned kWhat>
int serve_sum(const std::string& text) {
  dom::parser parser;
  return bench::serve(text, [&](std::string_view all) {
    dom::element root;
    const bool good = !parser.parse(all.data(), all.size(), false).get(root);
    return answer_of(good, good ? sum_of<kWhat>(root) : 0);
  });
}

/// The DOM is read once. The text is a fresh string each time: the library offers no other way.
int serve_write(const std::string& text) {
  dom::parser parser;
  const dom::element root = parser.parse(text.data(), text.size(), false).value();
  const std::string once = simdjson::minify(root);
  dom::parser second;
  const std::uint64_t checked =
      sum_of < kNumbers | kStrings | kOthers > (dom::element(second.parse(once)));
  return bench::serve(text, [&](std::string_view) {
    return answer_of(simdjson::minify(root).size() == once.size(), checked);
  });
}

/// The DOM, asked for a few fields.
bool read_brief(dom::element root, bench::twitter::BriefTimeline& out) {
  dom::array statuses;
  if (root["statuses"].get(statuses)) return false;
  for (const dom::element status : statuses) {
    auto& brief = out.statuses.emplace_back();
    std::string_view text;
    std::string_view name;
    if (status["id"].get(brief.id) || status["text"].get(text) ||
        status["user"]["screen_name"].get(name) ||
        status["user"]["followers_count"].get(brief.user.followers_count) ||
        status["retweet_count"].get(brief.retweet_count)) {
      return false;
    }
    brief.text.assign(text);
    brief.user.screen_name.assign(name);
  }
  return true;
}

int serve_brief(const std::string& text) {
  dom::parser parser;
  const auto read = [&](std::string_view all, bench::twitter::BriefTimeline& out) {
    dom::element root;
    return !parser.parse(all.data(), all.size(), false).get(root) && read_brief(root, out);
  };
  bench::twitter::BriefTimeline once;
  const bool good = read(text, once);
  const std::uint64_t checked = bench::sum_of_typed(once);
  return bench::serve(text, [&](std::string_view all) {
    bench::twitter::BriefTimeline value;
    return answer_of(read(all, value) && good, checked);
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string text = bench::load(argv[2]);
  const std::string_view job = argv[1];
  const bool twitter = text.find("\"statuses\"") != std::string::npos;
  if (job == "check") return serve_document(text, false);
  if (job == "document" || job == "on_demand") return serve_document(text, true);
  if (job == "numbers") return serve_sum<kNumbers>(text);
  if (job == "strings") return serve_sum<kStrings>(text);
  if (job == "brief") return serve_brief(text);
  if (job == "write") return serve_write(text);
  if (job != "typed") return 2;
  return twitter ? serve_typed<bench::twitter::Timeline>(text)
                 : serve_typed<bench::citm::Catalog>(text);
}
