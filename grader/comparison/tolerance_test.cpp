// SPDX-License-Identifier: MIT
#include "grader/comparison/tolerance.hpp"

#include <cmath>

#include "grader/fixture/task.hpp"
#include "reference/multi_head.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Case plain_case() {
  Case test_case;
  test_case.seed = 3;
  test_case.rank = 2;
  test_case.dimensions = {.n = 3, .m = 4, .d_k = 5, .d_v = 2};
  draw_inputs(test_case);
  test_case.expected = evaluate_reference(test_case);
  return test_case;
}

}  // namespace

TEST_CASE("the unit roundoff is that of the format", "[tolerance]") {
  CHECK(unit_roundoff(DType::float64) == std::ldexp(1.0, -53));
  CHECK(unit_roundoff(DType::float32) == std::ldexp(1.0, -24));
  CHECK(unit_roundoff(DType::float16) == std::ldexp(1.0, -11));
  CHECK(unit_roundoff(DType::bfloat16) == std::ldexp(1.0, -8));
  CHECK(unit_roundoff(DType::integer) == unit_roundoff(DType::float64));
}

TEST_CASE("the tolerance is the contract's formula", "[tolerance]") {
  const Tolerance tolerance =
      derive_tolerance({.score = 6.0, .output = 3.0}, 1e-8);
  CHECK(tolerance.weights == Approx(4e-7));
  CHECK(tolerance.output == Approx(2.4e-6));
}

TEST_CASE("plain attention is measured by its scores and values",
          "[tolerance]") {
  const Case test_case = plain_case();
  const ErrorScale scale = measure_error_scale(test_case);
  CHECK(scale.score == max_abs_score(test_case));
  double largest = 0.0;
  for (const double value : test_case.arguments.back().tensor.data) {
    largest = std::max(largest, std::abs(value));
  }
  CHECK(scale.output == largest);
}

TEST_CASE("a projected task allows for the longer chain of products",
          "[tolerance]") {
  const auto folder = std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures";
  const Task task = read_task(folder / "tasks/multi_head_attention.json");
  for (const Case& test_case : read_cases(task)) {
    INFO(test_case.name);
    const ErrorScale scale = measure_error_scale(test_case);
    CHECK(scale.score >= max_abs_score(test_case));
    CHECK(std::isfinite(scale.output));
  }
}

}  // namespace grader
