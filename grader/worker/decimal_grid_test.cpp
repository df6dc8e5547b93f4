// SPDX-License-Identifier: MIT
#include "grader/worker/decimal_grid.hpp"

#include <cmath>
#include <limits>

#include "reference/random.hpp"
#include "tests/catch.hpp"

using namespace grader;
using reference::Tensor;

namespace {

constexpr double u64 = 0x1p-53;
constexpr double u32 = 0x1p-24;

Tensor normal_numbers(std::int64_t count) {
  return reference::Random(7).standard_normal({count});
}

Tensor rounded_to(Tensor tensor, double per_unit) {
  for (double& value : tensor.data) {
    value = std::nearbyint(value * per_unit) / per_unit;
  }
  return tensor;
}

Tensor in_float32(Tensor tensor) {
  for (double& value : tensor.data) {
    value = static_cast<double>(static_cast<float>(value));
  }
  return tensor;
}

}  // namespace

TEST_CASE("numbers rounded to four to six digits have a grid",
          "[decimal_grid]") {
  for (const double per_unit : {1e4, 1e5, 1e6}) {
    const Tensor rounded = rounded_to(normal_numbers(100), per_unit);
    CHECK(decimal_grid({&rounded}, u64) == 1.0 / per_unit);
  }
  const Tensor single = in_float32(rounded_to(normal_numbers(100), 1e4));
  CHECK(decimal_grid({&single}, u32) == 1e-4);
}

TEST_CASE("the grid is that of all results together", "[decimal_grid]") {
  const Tensor coarse = rounded_to(normal_numbers(100), 1e4);
  const Tensor fine = rounded_to(normal_numbers(50), 1e5);
  CHECK(decimal_grid({&coarse, &fine}, u64) == 1e-5);
  const Tensor exact = normal_numbers(3);
  CHECK(decimal_grid({&coarse, &exact}, u64) == 0.0);
}

TEST_CASE("numbers as they come have none", "[decimal_grid]") {
  const Tensor exact = normal_numbers(100);
  CHECK(decimal_grid({&exact}, u64) == 0.0);
  const Tensor single = in_float32(exact);
  CHECK(decimal_grid({&single}, u32) == 0.0);
  CHECK(decimal_grid({}, u64) == 0.0);
}

TEST_CASE("fewer digits, and too few numbers, are no rounding for print",
          "[decimal_grid]") {
  const Tensor three = rounded_to(normal_numbers(100), 1e3);
  CHECK(decimal_grid({&three}, u64) == 0.0);
  const Tensor few = rounded_to(normal_numbers(31), 1e4);
  CHECK(decimal_grid({&few}, u64) == 0.0);
  const Tensor constant(reference::Shape{200}, 1.0);
  CHECK(decimal_grid({&constant}, u64) == 0.0);
}

TEST_CASE("large numbers and infinities say nothing of the grid",
          "[decimal_grid]") {
  Tensor mixed = in_float32(rounded_to(normal_numbers(100), 1e4));
  mixed.data[0] = 54321.98765;
  mixed.data[1] = std::numeric_limits<double>::infinity();
  mixed.data[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(decimal_grid({&mixed}, u32) == 1e-4);
}
