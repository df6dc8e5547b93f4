// SPDX-License-Identifier: MIT
#include "grader/diagnosis/least_squares.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace grader {

TEST_CASE("a line through exact points is found", "[least_squares]") {
  LeastSquares system(2);
  for (const double x : {0.0, 1.0, 2.0, 5.0}) {
    system.add({1.0, x}, 3.0 - 0.5 * x, 1.0 + x);
  }
  const auto solution = system.solve();
  REQUIRE(solution);
  CHECK(std::abs((*solution)[0] - 3.0) < 1e-12);
  CHECK(std::abs((*solution)[1] + 0.5) < 1e-12);
  CHECK(system.degrees() == 4.0);
}

TEST_CASE("equations that leave an unknown open have no solution",
          "[least_squares]") {
  LeastSquares system(2);
  system.add({1.0, 2.0}, 1.0, 1.0);
  system.add({2.0, 4.0}, 2.0, 1.0);
  system.add({3.0, 6.0}, 3.0, 1.0);
  CHECK(!system.solve());
  CHECK(!LeastSquares(3).solve());
}

}  // namespace grader
