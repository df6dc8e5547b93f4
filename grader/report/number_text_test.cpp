// SPDX-License-Identifier: MIT
#include "grader/report/number_text.hpp"

#include <limits>

#include "tests/catch.hpp"

using namespace grader;
using Cells = std::vector<std::string>;

namespace {
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("errors have two significant digits", "[number_text]") {
  CHECK(significant(4.44e-16) == "4.4e-16");
  CHECK(significant(0.0213) == "0.021");
  CHECK(significant(0.0) == "0");
  CHECK(significant(infinity) == "infinite");
  CHECK(significant(nan_value) == "not a number");
  CHECK(fixed(-0.5, 3) == "-0.500");
  CHECK(fixed(-nan_value, 3) == "nan");
}

TEST_CASE("durations are read at a glance", "[number_text]") {
  CHECK(duration_text(0.04) == "0.0 s");
  CHECK(duration_text(3.14) == "3.1 s");
  CHECK(duration_text(12.6) == "13 s");
  CHECK(duration_text(185.0) == "3 min 5 s");
  CHECK(duration_text(nan_value) == "0.0 s");
}

TEST_CASE("rows show as many decimals as tell them apart", "[number_text]") {
  const NumberRows plain = number_rows({0.25, 0.75}, {0.3, 0.7});
  CHECK(plain.expected == Cells{"0.250", "0.750"});
  CHECK(plain.actual == Cells{"0.300", "0.700"});
  CHECK(number_rows({0.25}, {0.25001}).actual == Cells{"0.25001"});
  CHECK(number_rows({1e-12}, {2e-12}).expected == Cells{"1.00e-12"});
  CHECK(number_rows({1.0}, {1e30}).actual == Cells{"1.00e+30"});
  CHECK(number_rows({0.5}, {nan_value}).actual == Cells{"nan"});
  CHECK(number_rows({}, {}).expected.empty());
}
