// SPDX-License-Identifier: MIT
#include "grader/lesson/scale_study.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace grader {
namespace {

// One draw of one row twice, for n must be 2.
ScoreFigures figures_of_row(const std::vector<double>& scores) {
  const auto n = static_cast<std::int64_t>(scores.size());
  reference::Tensor tensor({2, n, n});
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    tensor.data[i] = scores[i % scores.size()];
  }
  return figures_of(tensor);
}

// Standard errors from what is expected.
double distance(const Estimate& estimate, double expected) {
  return std::abs(estimate.mean - expected) / estimate.error;
}

TEST_CASE("equal scores spread the weights over all keys", "[scale-study]") {
  const ScoreFigures figures = figures_of_row({0, 0, 0, 0});
  CHECK(figures.largest_weight.mean == Approx(0.25));
  CHECK(figures.entropy.mean == Approx(std::log(4.0)));
  CHECK(figures.effective_keys.mean == Approx(4.0));
  CHECK(figures.dead_rows.mean == 0.0);
  // diag(w) - w w^T: 3/16 on the diagonal, -1/16 elsewhere.
  CHECK(figures.jacobian.mean == Approx(std::sqrt(4 * 9 + 12) / 16.0));
}

TEST_CASE("one far larger score takes all the weight and the gradient",
          "[scale-study]") {
  const ScoreFigures figures = figures_of_row({40, 0, 0});
  CHECK(figures.smallest == 0.0);
  CHECK(figures.largest == 40.0);
  CHECK(figures.row_largest_weight == Approx(1.0));
  CHECK(figures.effective_keys.mean == Approx(1.0));
  CHECK(figures.dead_rows.mean == 1.0);
  CHECK(figures.jacobian.mean < 1e-16);
  CHECK(figures.jacobian.mean > 0.0);
}

TEST_CASE("a row is dead below a thousandth", "[scale-study]") {
  const auto with_second = [](double weight) {
    return figures_of_row({0.0, std::log(weight / (1.0 - weight))});
  };
  CHECK(with_second(0.0011).dead_rows.mean == 0.0);
  CHECK(with_second(0.0009).dead_rows.mean == 1.0);
}

TEST_CASE("raw scores deviate by sqrt(d_k), divided ones by 1",
          "[scale-study]") {
  for (const std::uint64_t seed : {1U, 1000U, 2000U}) {
    ScaleSettings settings;
    settings.seed = seed;
    settings.d_k = 64;
    const ScaleStudy study = study_scale(settings);
    const auto& [none, root, whole] =
        std::tie(study.scales.at(0), study.scales.at(1), study.scales.at(2));
    CHECK(distance(none.figures.deviation, 8.0) < 4);
    CHECK(distance(root.figures.deviation, 1.0) < 4);
    CHECK(distance(whole.figures.deviation, 1.0 / 8.0) < 4);
    CHECK(none.figures.deviation.error < 0.05);
    CHECK(none.figures.largest_weight.mean > 0.8);
    CHECK(root.figures.largest_weight.mean < 0.3);
    CHECK(none.figures.dead_rows.mean > 0.1);
    CHECK(root.figures.dead_rows.mean == 0.0);
    CHECK(distance(study.raw_slope, 1.0) < 4);
    CHECK(distance(study.scaled_slope, 0.0) < 4);
    CHECK(study.raw_slope.error < 0.005);
    CHECK(none.float16.score_error.mean > 5 * root.float16.score_error.mean);
  }
}

TEST_CASE("narrow heads hide the missing scale, wide ones die of it",
          "[scale-study]") {
  const ScaleStudy study = study_scale({});
  REQUIRE(study.widths.size() == 11);
  for (const WidthOutcome& width : study.widths) {
    CAPTURE(width.d_k);
    CHECK(distance(width.variance, static_cast<double>(width.d_k)) < 4);
    CHECK(distance(width.scaled_variance, 1.0) < 4);
    if (width.d_k <= 16) {
      CHECK(width.raw.dead_rows.mean < 0.05);
    }
    if (width.d_k >= 256) {
      CHECK(width.raw.dead_rows.mean > 0.4);
    }
    CHECK(width.scaled.dead_rows.mean == 0.0);
  }
}

}  // namespace
}  // namespace grader
