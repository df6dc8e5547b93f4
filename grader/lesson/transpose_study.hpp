// SPDX-License-Identifier: MIT
// K.T reverses every axis; attention swaps the last two. transpose_lesson.py
// computes the same.
#pragma once

#include <cstdint>
#include <string>

#include "reference/tensor.hpp"

namespace grader {

struct TransposeSettings {
  std::int64_t size = 4;  // of the batch, the tokens and the width alike
  std::uint64_t seed = 0;
};

struct TransposeStudy {
  TransposeSettings settings;
  reference::Shape q = {2, 3, 5};  // sizes that are all different
  reference::Shape k = {2, 4, 5};
  bool swapped_fails = false;
  bool reversed_fails = false;
  std::string message;              // of the failure
  double largest_difference = 0.0;  // of a weight, where all sizes are alike
  // (size, size): how far the weights of batch row i move, at most, when row j
  // gets other keys.
  reference::Tensor swapped_mixing;
  reference::Tensor reversed_mixing;
};

TransposeStudy study_transpose(const TransposeSettings& settings);

}  // namespace grader
