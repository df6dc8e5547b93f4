// SPDX-License-Identifier: MIT
// What a matrix M in the scores q M k^T does to the features.
#pragma once

#include <string>
#include <vector>

#include "grader/worker/outcome.hpp"
#include "reference/tensor.hpp"

namespace grader {

enum class FeatureForm {
  all,       // a multiple of the identity
  some,      // a multiple of it on some of the features
  permuted,  // feature i of the queries meets another one of the keys
  weighted,  // a factor for each feature
  other,
};

struct FeatureMap {
  FeatureForm form = FeatureForm::other;
  // For a person; of the widest matrix, with the factor of the scores: "the
  // features of the keys are in reversed order (times 1/sqrt(d_k))".
  std::string text;
};

// Square matrices of one submission, on cases of one width or several: the form
// that all of them have.
FeatureMap describe_features(const std::vector<reference::Tensor>& matrices,
                             DType precision);

}  // namespace grader
