// SPDX-License-Identifier: MIT
#include "reference/lookup.hpp"

#include <algorithm>
#include <cmath>

#include "reference/random.hpp"
#include "tests/catch.hpp"

namespace reference {
namespace {

LookupTask draw_task(Random& random) {
  LookupTask task;
  task.y = random.standard_normal(Shape{5, 4});
  task.x = random.standard_normal(Shape{5, 4});
  task.v = random.standard_normal(Shape{5, 3});
  return task;
}

LookupWeights draw_weights(Random& random) {
  LookupWeights weights;
  weights.w_q = random.standard_normal(Shape{4, 6});
  weights.w_k = random.standard_normal(Shape{4, 6});
  return weights;
}

// By central differences, whose error is of the order of step^2.
double difference_quotient(const LookupTask& task, const LookupWeights& weights,
                           double factor, Tensor LookupWeights::*which,
                           std::size_t i) {
  constexpr double step = 1e-5;
  LookupWeights above = weights;
  LookupWeights below = weights;
  (above.*which).data[i] += step;
  (below.*which).data[i] -= step;
  return (lookup_loss(task, above, factor) - lookup_loss(task, below, factor)) /
         (2 * step);
}

TEST_CASE("the gradient is that of finite differences", "[lookup]") {
  Random random(11);
  const LookupTask task = draw_task(random);
  const LookupWeights weights = draw_weights(random);
  for (const double factor : {1.0, 0.4, 0.1}) {
    const LookupGradient found = lookup_gradient(task, weights, factor);
    CHECK(found.loss == lookup_loss(task, weights, factor));
    for (const auto which : {&LookupWeights::w_q, &LookupWeights::w_k}) {
      const Tensor& gradient = found.gradient.*which;
      REQUIRE(gradient.shape == (weights.*which).shape);
      for (std::size_t i = 0; i < gradient.data.size(); ++i) {
        CHECK(std::abs(gradient.data[i] -
                       difference_quotient(task, weights, factor, which, i)) <
              1e-8);
      }
    }
  }
}

TEST_CASE("equal scores give the mean of the values", "[lookup]") {
  Random random(12);
  const LookupTask task = draw_task(random);
  LookupWeights weights = draw_weights(random);
  std::ranges::fill(weights.w_q.data, 0.0);
  double expected = 0.0;  // the values' variance
  for (std::size_t column = 0; column < 3; ++column) {
    double mean = 0.0;
    for (std::size_t row = 0; row < 5; ++row) {
      mean += task.v.data[row * 3 + column] / 5;
    }
    for (std::size_t row = 0; row < 5; ++row) {
      const double distance = task.v.data[row * 3 + column] - mean;
      expected += distance * distance / 15;
    }
  }
  CHECK(lookup_loss(task, weights, 1.0) == Approx(expected));
}

TEST_CASE("a step against the gradient lowers the loss", "[lookup]") {
  Random random(13);
  const LookupTask task = draw_task(random);
  const LookupWeights weights = draw_weights(random);
  const LookupGradient found = lookup_gradient(task, weights, 0.4);
  CHECK(norm(found.gradient) > 0.0);
  CHECK(lookup_loss(task, descend(weights, found.gradient, 1e-3), 0.4) <
        found.loss);
}

}  // namespace
}  // namespace reference
