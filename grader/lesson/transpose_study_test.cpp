// SPDX-License-Identifier: MIT
#include "grader/lesson/transpose_study.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("K.T is refused where all sizes differ", "[transpose-study]") {
  const TransposeStudy study = study_transpose({});
  CHECK_FALSE(study.swapped_fails);
  CHECK(study.reversed_fails);
  CHECK(study.message.find("(5, 4, 2)") != std::string::npos);
}

TEST_CASE("K.T mixes the rows of a batch where sizes line up",
          "[transpose-study]") {
  for (const std::int64_t size : {2, 3, 5}) {
    const TransposeStudy study = study_transpose({.size = size, .seed = 7});
    CHECK(study.largest_difference > 0.05);
    for (std::int64_t i = 0; i < size; ++i) {
      for (std::int64_t j = 0; j < size; ++j) {
        const auto at = static_cast<std::size_t>(i * size + j);
        CHECK((study.swapped_mixing.data[at] > 0.0) == (i == j));
        CHECK(study.reversed_mixing.data[at] > 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace grader
