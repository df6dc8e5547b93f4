// SPDX-License-Identifier: MIT
#include "grader/lesson/heads_study.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace grader {
namespace {

double errors_apart(const Estimate& estimate, double expected) {
  return std::abs(estimate.mean - expected) / estimate.error;
}

TEST_CASE("the width of a head makes scores of deviation 1", "[heads-study]") {
  const HeadsStudy study = study_heads({});
  REQUIRE(study.scales.size() == 3);
  CHECK(errors_apart(study.scales[0].figures.deviation, std::sqrt(1.0 / 8.0)) <
        4);
  CHECK(errors_apart(study.scales[1].figures.deviation, 1.0) < 4);
  CHECK(errors_apart(study.scales[2].figures.deviation, 1.0 / 8.0) < 4);
  CHECK(study.scales[0].figures.effective_keys.mean >
        study.scales[1].figures.effective_keys.mean + 1);
}

TEST_CASE("with one head both widths are the same", "[heads-study]") {
  const HeadsStudy study = study_heads({});
  REQUIRE(study.by_heads.size() == 10);  // 1 to 512
  for (const HeadCount& count : study.by_heads) {
    CAPTURE(count.heads);
    CHECK(errors_apart(count.deviation,
                       1.0 / std::sqrt(static_cast<double>(count.heads))) < 4);
  }
}

TEST_CASE("only counts that divide the model are tried", "[heads-study]") {
  HeadsSettings settings;
  settings.d_model = 12;
  settings.heads = 3;
  settings.draws = 2;
  CHECK(study_heads(settings).by_heads.size() == 3);  // 1, 2, 4
}

}  // namespace
}  // namespace grader
