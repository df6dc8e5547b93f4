// SPDX-License-Identifier: MIT
#include "grader/diagnosis/feature_map.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace grader {
namespace {

using reference::Tensor;

// factor where `meets(i, j)`, a little rounding elsewhere.
template <typename Meets>
Tensor matrix(std::int64_t d, double factor, Meets meets) {
  Tensor result({d, d});
  for (std::int64_t i = 0; i < d * d; ++i) {
    result.data[static_cast<std::size_t>(i)] =
        meets(i / d, i % d) ? factor : 1e-9;
  }
  return result;
}

std::string text_of(const std::vector<Tensor>& matrices) {
  return describe_features(matrices, DType::float64).text;
}

}  // namespace

TEST_CASE("a permutation of the features is described", "[feature_map]") {
  const auto reversed = [](std::int64_t d) {
    return matrix(d, 1.0 / std::sqrt(static_cast<double>(d)),
                  [d](auto i, auto j) { return i + j == d - 1; });
  };
  CHECK(text_of({reversed(4), reversed(7)}) ==
        "the features of queries or keys are in reversed order "
        "(times 1/sqrt(d_k))");
  CHECK(text_of({matrix(5, 0.25,
                        [](auto i, auto j) { return j == (i + 2) % 5; })}) ==
        "feature i of the queries meets feature i + 2 of the keys, modulo d_k "
        "(times 0.25)");
  CHECK(
      text_of({matrix(4, 1.0, [](auto i, auto j) { return j == (i ^ 1); })}) ==
      "features 1 to 4 of the queries meet features 2, 1, 4, 3 of the keys "
      "(times 1)");
}

TEST_CASE("features that are left out are listed", "[feature_map]") {
  CHECK(text_of({matrix(7, 1.0, [](auto i, auto j) {
          return i == j && i < 3;
        })}) == "only features 1 to 3 of 7 enter the scores (times 1)");
  CHECK(text_of({matrix(7, 1.0, [](auto i, auto j) {
          return i == j && i % 2 == 0;
        })}) == "only features 1, 3, 5, 7 of 7 enter the scores (times 1)");
}

TEST_CASE("a form that not all matrices have is none", "[feature_map]") {
  const auto same = [](auto i, auto j) { return i == j; };
  const auto reversed = [](auto i, auto j) { return i + j == 3; };
  CHECK(describe_features({matrix(4, 1.0, same)}, DType::float64).form ==
        FeatureForm::all);
  CHECK(describe_features({matrix(4, 1.0, same), matrix(4, 1.0, reversed)},
                          DType::float64)
            .form == FeatureForm::other);
  CHECK(describe_features({matrix(4, 1.0, [](auto, auto) { return true; })},
                          DType::float64)
            .form == FeatureForm::other);
}

TEST_CASE("factors of single features are listed", "[feature_map]") {
  CHECK(text_of({Tensor({2, 2}, {0.5, 0.0, 0.0, -2.0})}) ==
        "features 1 to 2 enter with the factors 0.5, -2");
}

}  // namespace grader
