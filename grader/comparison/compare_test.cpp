// SPDX-License-Identifier: MIT
#include "grader/comparison/compare.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

namespace grader {
namespace {

using reference::Tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

Tensor row(std::vector<double> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return Tensor({1, count}, std::move(values));
}

}  // namespace

TEST_CASE("the error is the largest difference", "[compare]") {
  CHECK(max_error(row({1.0, 2.0}), row({1.0, 2.0})) == 0.0);
  CHECK(max_error(row({1.0, 2.5}), row({1.25, 2.0})) == 0.5);
}

TEST_CASE("a minus sign is a difference", "[compare]") {
  CHECK(max_error(row({-0.5}), row({0.5})) == 1.0);
}

TEST_CASE("NaN and infinity are never close to a number", "[compare]") {
  for (const double odd : {not_a_number, infinity, -infinity}) {
    CHECK(max_error(row({odd, 1.0}), row({1.0, 1.0})) == infinity);
    CHECK(max_error(row({1.0, 1.0}), row({odd, 1.0})) == infinity);
  }
}

TEST_CASE("where the expected value is no number either, nothing is wrong",
          "[compare]") {
  CHECK(max_error(row({not_a_number}), row({not_a_number})) == 0.0);
  CHECK(max_error(row({infinity}), row({not_a_number})) == 0.0);
}

TEST_CASE("ignored rows do not count", "[compare]") {
  const Tensor actual({2, 2}, {1.0, not_a_number, 3.0, 4.0});
  const Tensor expected({2, 2}, {1.0, 2.0, 3.0, 4.0});
  CHECK(max_error(actual, expected) == infinity);
  CHECK(max_error(actual, expected, {1, 0}) == 0.0);
  CHECK(max_error(actual, expected, {0, 1}) == infinity);
}

TEST_CASE("an empty tensor has no error", "[compare]") {
  CHECK(max_error(Tensor(reference::Shape{0, 3}),
                  Tensor(reference::Shape{0, 3})) == 0.0);
}

TEST_CASE("a query without keys does not count, in every head it touches",
          "[compare]") {
  Case test_case;
  test_case.kind = Kind::multi_head_attention;
  test_case.mask_mode = MaskMode::masked;
  test_case.rank = 3;
  test_case.dimensions = {
      .batch = 1, .heads = 2, .n = 2, .m = 2, .d_k = 2, .d_v = 2, .d_model = 4};
  test_case.mask = reference::Mask{{1, 2, 2, 2}, {1, 1, 1, 0, 1, 0, 0, 0}};
  const IgnoredRows rows = rows_without_keys(test_case);
  CHECK(rows.weights == std::vector<std::uint8_t>{0, 0, 0, 1});
  CHECK(rows.output == std::vector<std::uint8_t>{0, 1});
}

}  // namespace grader
