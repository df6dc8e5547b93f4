// SPDX-License-Identifier: MIT
#include "reference/mask.hpp"

#include <stdexcept>

#include "tests/catch.hpp"

namespace reference {
namespace {

TEST_CASE("the causal mask is numpy.tri", "[mask]") {
  CHECK(causal_mask(3, 3) == Mask{{3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}});
  CHECK(causal_mask(2, 4) == Mask{{2, 4}, {1, 0, 0, 0, 1, 1, 0, 0}});
  CHECK(causal_mask(3, 1) == Mask{{3, 1}, {1, 1, 1}});
  CHECK(causal_mask(0, 2) == Mask{{0, 2}, {}});
  CHECK_THROWS_AS(causal_mask(-1, 2), std::invalid_argument);
}

TEST_CASE("rows without an allowed key are found", "[mask]") {
  const Mask mask{{2, 3}, {0, 0, 0, 0, 1, 0}};
  CHECK(empty_rows(mask, {2, 3}) == Mask{{2}, {1, 0}});
  CHECK(empty_rows(mask, {2, 2, 3}) == Mask{{2, 2}, {1, 0, 1, 0}});
}

TEST_CASE("a mask with a single column is broadcast first", "[mask]") {
  CHECK(empty_rows({{2, 1}, {0, 1}}, {2, 3}) == Mask{{2}, {1, 0}});
}

TEST_CASE("rows of no keys are empty", "[mask]") {
  CHECK(empty_rows({{2, 0}, {}}, {2, 0}) == Mask{{2}, {1, 1}});
}

TEST_CASE("a mask that does not fit the scores is refused", "[mask]") {
  CHECK_THROWS_AS(empty_rows({{2}, {1, 1}}, {3, 3}), std::invalid_argument);
  CHECK_THROWS_AS(empty_rows({{}, {1}}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace reference
