// A query: it ends in values of declared fields, each once and within its bounds, or in faults; and
// what it means does not depend on how its characters are encoded.

#include <cstdio>
#include <cstdlib>
#include <set>

#include "record/declarations_for_tests.h"
#include "record/field_value.h"
#include "record/query.h"

using namespace sluice;

namespace {

const Shape& shape() {
  static const Shape kShape = [] {
    FieldDeclaration bounded = field("n", FieldType::i32);
    bounded.min = "-5";
    bounded.max = "5";
    return *Shape::make({bounded, field("u", FieldType::u64), field("r", FieldType::f32),
                         field("b", FieldType::boolean), field("w", FieldType::time),
                         field("t", FieldType::text), group("g", {field("x", FieldType::f64)})});
  }();
  return kShape;
}

/// Every byte of names and values as %XX.
std::string encoded(std::string_view query) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (std::size_t pair = 0; pair <= query.size();) {
    const std::size_t end = std::min(query.find('&', pair), query.size());
    const std::string_view one = query.substr(pair, end - pair);
    const std::size_t equals = std::min(one.find('='), one.size());
    const auto add = [&](std::string_view part) {
      for (const char c : percent_decoded(part)) {
        const auto byte = static_cast<unsigned char>(c);
        text += {'%', kDigits[byte / 16], kDigits[byte % 16]};
      }
    };
    add(one.substr(0, equals));
    if (equals < one.size()) {
      text += '=';
      add(one.substr(equals + 1));
    }
    if (end == query.size()) break;
    text += '&';
    pair = end + 1;
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view query(reinterpret_cast<const char*>(data), size);
  Query read;
  Query again;
  std::vector<ShapeFault> faults;
  std::vector<ShapeFault> other_faults;
  read.read(shape(), query, faults);
  again.read(shape(), encoded(query), other_faults);
  if (faults.size() > 17 || faults.size() != other_faults.size()) std::abort();
  for (std::uint32_t number = 0; number < shape().fields().size(); ++number) {
    const Query::Value* const one = read.find(number);
    const Query::Value* const other = again.find(number);
    if ((one == nullptr) != (other == nullptr)) std::abort();
    if (one == nullptr) continue;
    if (one->bits != other->bits || !slot_allowed(shape().fields()[number], one->bits))
      std::abort();
  }
  return 0;
}
