// SPDX-License-Identifier: MIT
#include "grader/lesson/estimate.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("an estimate has as many digits as its error allows", "[estimate]") {
  CHECK(text_of({8.01094, 0.03233}) == "8.011 ± 0.032");
  CHECK(text_of({64.027, 0.5477}) == "64.03 ± 0.55");
  CHECK(text_of({1013.11, 66.3}) == "1013 ± 66");
  CHECK(text_of({1013.11, 663.0}) == "1013 ± 663");
  CHECK(text_of({15.883, 0.00094}) == "15.8830 ± 0.0009");
  CHECK(text_of({0.2435, 0.000011}) == "0.2435 ± 1e-05");
  CHECK(text_of({7.96e-6, 9.3e-8}) == "8e-06 ± 9e-08");
  CHECK(text_of({-0.0003, 0.0017}) == "-0.0003 ± 0.0017");
  CHECK(text_of({1.0, 0.1}) == "1.00 ± 0.10");
}

TEST_CASE("an estimate that did not vary stands alone", "[estimate]") {
  CHECK(text_of({0.0, 0.0}) == "0");
  CHECK(text_of({1.0, 0.0}) == "1");
}

}  // namespace
}  // namespace grader
