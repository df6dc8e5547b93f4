// SPDX-License-Identifier: MIT
#include "grader/lesson/training_study.hpp"

#include <algorithm>

#include "grader/lesson/estimate.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

const RateOutcome& best_of(const TrainingOutcome& scale) {
  return scale.by_rate.at(scale.best);
}

std::size_t reached(const RateOutcome& outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcome.steps, [](const auto& steps) { return steps.has_value(); }));
}

TEST_CASE("without the scale training stops high, at every rate",
          "[training-study]") {
  TrainingSettings settings;  // of ten starts demo_test.py says the same
  settings.seeds = 3;
  const TrainingStudy study = study_training(settings);
  REQUIRE(study.scales.size() == 4);
  const TrainingOutcome& none = study.scales[0];
  const TrainingOutcome& root = study.scales[1];
  const TrainingOutcome& whole = study.scales[2];
  CHECK(best_of(root).final_loss.size() == 3);
  CHECK(reached(best_of(root)) == 3);
  CHECK(reached(best_of(whole)) == 3);
  for (const RateOutcome& outcome : none.by_rate) {
    CAPTURE(outcome.rate);
    CHECK(mean_of(outcome.final_loss) > 4 * mean_of(best_of(root).final_loss));
  }
  // In each single start.
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(best_of(root).final_loss[i] < best_of(none).final_loss[i]);
  }
  CHECK(mean_of(none.by_rate.back().dead) > 0.9);
  CHECK(mean_of(none.by_rate.back().wrong) > 0.5);
  CHECK(mean_of(best_of(root).dead) < 0.1);
  // Its best is no end of what was tried.
  CHECK(none.best > 0);
  CHECK(mean_of(none.by_rate.back().final_loss) > 1.0);
}

TEST_CASE("a larger rate makes up for dividing by d_k", "[training-study]") {
  TrainingSettings settings;
  settings.seeds = 2;
  settings.steps = 100;
  const TrainingStudy study = study_training(settings);
  CHECK(best_of(study.scales[2]).rate > 4 * best_of(study.scales[1]).rate);
}

TEST_CASE("scaling the values instead changes nothing", "[training-study]") {
  TrainingSettings settings;
  settings.seeds = 2;
  settings.steps = 50;
  settings.d_k = 256;  // a power of 4: division by its root is exact
  const TrainingStudy study = study_training(settings);
  for (std::size_t i = 0; i < study.scales[0].by_rate.size(); ++i) {
    CHECK(study.scales[0].by_rate[i].final_loss ==
          study.scales[3].by_rate[i].final_loss);
  }
}

TEST_CASE("a curve has a point every ten steps", "[training-study]") {
  TrainingSettings settings;
  settings.seeds = 2;
  settings.steps = 25;
  const TrainingStudy study = study_training(settings);
  for (const TrainingOutcome& scale : study.scales) {
    CHECK(scale.loss.mean.size() == 3);
    CHECK(scale.loss.deviation.size() == 3);
    CHECK(scale.gradient.mean.size() == 3);
  }
}

}  // namespace
}  // namespace grader
