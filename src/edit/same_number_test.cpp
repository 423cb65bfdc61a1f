#include "edit/same_number.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace sluice::json {
namespace {

/// Numbers in one row are the same; those in different rows are not.
TEST(SameNumber, Table) {
  const std::vector<std::vector<std::string_view>> rows = {
      {"0", "-0", "0.0", "0e5", "-0.00E-999999999999999999999"},
      {"1", "1.0", "10e-1", "0.1e1", "1E0", "1e+00", "0.0001e4", "100000e-5"},
      {"-1", "-1.00"},
      {"1.5", "15e-1", "0.15e+1", "1.50000"},
      {"10", "1e1", "1e01", "0.01e3", "10.0"},
      {"105", "1.05e2", "1050e-1"},
      {"1000.05", "100005e-2", "0.100005e4"},
      {"123456789012345678901234567890", "1.2345678901234567890123456789e29"},
      {"123456789012345678901234567891"},
      {"1e400", "10e399", "0.1e401"},
      {"1e-400", "0.1e-399"},
      {"1e999999999999999999", "10e999999999999999998"},
      {"1e99999999999999999999"},
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const std::string_view a : rows[row]) {
      for (std::size_t other = 0; other < rows.size(); ++other) {
        for (const std::string_view b : rows[other]) {
          EXPECT_EQ(is_same_number(a, b), row == other) << a << " and " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sluice::json
