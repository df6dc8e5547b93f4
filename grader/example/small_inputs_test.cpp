// SPDX-License-Identifier: MIT
#include "grader/example/small_inputs.hpp"

#include <algorithm>
#include <cmath>

#include "reference/mask.hpp"
#include "tests/catch.hpp"

using namespace grader;

namespace {

// Each kind with each mask mode on a rank that it has.
template <typename Check>
void for_each_input(const Check& check) {
  for (const Kind kind :
       {Kind::attention, Kind::self_attention, Kind::multi_head_attention,
        Kind::grouped_query_attention}) {
    for (const MaskMode mode :
         {MaskMode::none, MaskMode::masked, MaskMode::causal}) {
      const int rank = kind == Kind::grouped_query_attention ? 4 : 3;
      for (const Case& input : small_inputs(kind, mode, rank)) {
        CAPTURE(to_string(kind), to_string(mode));
        check(input);
      }
    }
  }
}

bool is_integer(double value) {
  return value == std::round(value);
}

}  // namespace

TEST_CASE("small inputs are small integers with a right answer",
          "[small_inputs]") {
  for_each_input([](const Case& input) {
    CHECK(input.dimensions.n <= 3);
    CHECK(input.dimensions.d_k <= 4);
    for (const NamedTensor& argument : input.arguments) {
      CHECK(std::ranges::all_of(argument.tensor.data, is_integer));
    }
    CHECK(std::ranges::all_of(input.expected.output.data, [](double value) {
      return std::isfinite(value);
    }));
  });
}

TEST_CASE("every query of a small input has a key", "[small_inputs]") {
  for_each_input([](const Case& input) {
    const auto mask = effective_mask(input);
    if (mask) {
      const auto rows = reference::empty_rows(*mask, scores_shape(input));
      CHECK(std::ranges::count(rows.data, 1) == 0);
      CHECK(std::ranges::count(mask->data, 0) > 0);
    }
  });
}

TEST_CASE("the smallest input comes first", "[small_inputs]") {
  const auto inputs = small_inputs(Kind::attention, MaskMode::none, 2);
  CHECK(inputs.front().expected.weights.shape == reference::Shape{2, 2});
  CHECK(inputs.front().arguments[0].tensor.shape == reference::Shape{2, 2});
}

TEST_CASE("the sizes that hide a scale are told apart by another",
          "[small_inputs]") {
  const auto differs = [](const auto& width) {
    const auto inputs = small_inputs(Kind::attention, MaskMode::none, 3);
    return std::ranges::any_of(inputs, [&width](const Case& input) {
      return width(input.dimensions) != input.dimensions.d_k;
    });
  };
  CHECK(differs([](const Dimensions& sizes) { return sizes.n; }));
  CHECK(differs([](const Dimensions& sizes) { return sizes.m; }));
  CHECK(differs([](const Dimensions& sizes) { return sizes.d_v; }));
  CHECK(differs([](const Dimensions& sizes) { return sizes.batch; }));
  CHECK(differs([](const Dimensions& sizes) { return sizes.d_k / 2 * 2; }));
}
