// SPDX-License-Identifier: MIT
#include "reference/softmax.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "reference/golden_test.hpp"
#include "reference/random.hpp"
#include "tests/catch.hpp"

namespace reference {
namespace {

TEST_CASE("softmax agrees with numpy", "[softmax]") {
  for (const auto* name : {"softmax", "softmax_large"}) {
    CAPTURE(name);
    const Golden golden(name);
    CHECK(max_difference(softmax(golden["scores"]), golden["weights"]) < 1e-15);
  }
  const Golden golden("softmax_masked");
  CHECK(max_difference(masked_softmax(golden["scores"], golden.mask()),
                       golden["weights"]) < 1e-15);
}

TEST_CASE("rows sum to 1 and do not feel a shift", "[softmax]") {
  const Tensor scores = scale(Random(1).standard_normal({4, 6}), 20.0);
  const Tensor weights = softmax(scores);
  for (auto row = weights.data.begin(); row != weights.data.end(); row += 6) {
    CHECK(std::accumulate(row, row + 6, 0.0) == Approx(1.0).epsilon(1e-15));
  }
  // 1024 keeps 43 bits behind the point of each score.
  const Tensor shifted = softmax(add(scores, Tensor({4, 6}, 1024.0)));
  CHECK(max_difference(weights, shifted) < 1e-12);
}

TEST_CASE("scores beyond the range of exp give exact limits", "[softmax]") {
  const Tensor weights = softmax(Tensor({2, 2}, {1e300, 0, -1e300, -1e300}));
  CHECK(weights.data == std::vector<double>{1, 0, 0.5, 0.5});
}

TEST_CASE("hidden cells are exactly 0 whatever their score", "[softmax]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor scores({1, 4}, {infinity, 1, std::nan(""), 1});
  const Tensor weights = masked_softmax(scores, {{4}, {0, 1, 0, 1}});
  CHECK(weights.data == std::vector<double>{0, 0.5, 0, 0.5});
}

TEST_CASE("a fully masked row becomes zeros", "[softmax]") {
  const Tensor weights =
      masked_softmax(Tensor({2, 3}, {1, 2, 3, 4, 4, 4}), {{2, 1}, {0, 1}});
  CHECK(weights.data[0] == 0.0);
  CHECK(weights.data[1] == 0.0);
  CHECK(weights.data[2] == 0.0);
  CHECK(weights.data[3] == Approx(1.0 / 3));
}

TEST_CASE("the mask acts before the normalisation", "[softmax]") {
  const Tensor scores({1, 3}, {0.3, -1.0, 2.0});
  const Tensor masked = masked_softmax(scores, {{3}, {1, 1, 0}});
  CHECK(masked.data[0] + masked.data[1] == Approx(1.0).epsilon(1e-15));
  CHECK(max_difference(masked, softmax(scores)) > 0.1);
}

TEST_CASE("a NaN or an infinite score makes its row NaN", "[softmax]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor weights = softmax(
      Tensor({3, 2}, {std::nan(""), 1, infinity, 1, -infinity, -infinity}));
  for (const double weight : weights.data) {
    CHECK(std::isnan(weight));
  }
  CHECK(softmax(Tensor({1, 2}, {-infinity, 1})).data ==
        std::vector<double>{0, 1});
}

TEST_CASE("rows without keys and arrays without rows stay empty", "[softmax]") {
  CHECK(softmax(Tensor({3, 0})).shape == Shape{3, 0});
  CHECK(softmax(Tensor({0, 3})).shape == Shape{0, 3});
}

TEST_CASE("softmax refuses scalars and masks that do not fit", "[softmax]") {
  CHECK_THROWS_AS(softmax(Tensor(Shape{}, 1.0)), std::invalid_argument);
  CHECK_THROWS_AS(masked_softmax(Tensor({2, 3}), {{2}, {1, 1}}),
                  std::invalid_argument);
  CHECK_THROWS_AS(
      masked_softmax(Tensor(Shape{3}), {{2, 3}, {1, 1, 1, 1, 1, 1}}),
      std::invalid_argument);
}

}  // namespace
}  // namespace reference
