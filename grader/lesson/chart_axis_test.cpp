// SPDX-License-Identifier: MIT
#include "grader/lesson/chart_axis.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

using Ticks = std::vector<double>;

Ticks ticks_of(bool is_logarithmic, const Ticks& values) {
  return ChartAxis({"", is_logarithmic}, values).ticks();
}

TEST_CASE("an axis is labelled with few round numbers", "[chart-axis]") {
  CHECK(ticks_of(false, {0, 10}) == Ticks{0, 2, 4, 6, 8, 10});
  CHECK(ticks_of(false, {-1, 1}).size() == 5);
  CHECK(ticks_of(false, {3.0, 3.4}).front() == Approx(3.0));
}

TEST_CASE("a logarithmic axis is labelled with powers", "[chart-axis]") {
  CHECK(ticks_of(true, {1, 1024}) == Ticks{1, 10, 100, 1000});
  CHECK(ticks_of(true, {4, 64}) == Ticks{4, 8, 16, 32, 64});
  CHECK(ticks_of(true, {1e-12, 1e12}).size() <= 8);
}

TEST_CASE("all values are between the ends of their axis", "[chart-axis]") {
  for (const bool is_logarithmic : {false, true}) {
    const ChartAxis axis({"", is_logarithmic}, {1, 3, 1000});
    CHECK(axis.position(1) > 0.0);
    CHECK(axis.position(1) < axis.position(3));
    CHECK(axis.position(1000) < 1.0);
  }
}

TEST_CASE("a single value is in the middle", "[chart-axis]") {
  CHECK(ChartAxis({"", false}, {7, 7}).position(7) == Approx(0.5));
  CHECK(ChartAxis({"", true}, {7}).position(7) == Approx(0.5));
}

TEST_CASE("a tick is written short", "[chart-axis]") {
  CHECK(tick_text(0.1 + 0.2) == "0.3");
  CHECK(tick_text(1e-17) == "0");
  CHECK(tick_text(1024) == "1024");
  CHECK(tick_text(1e6) == "1e+06");
}

}  // namespace
}  // namespace grader
