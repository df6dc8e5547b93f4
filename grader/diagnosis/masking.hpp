// SPDX-License-Identifier: MIT
// The stages of scale and mask: which keys are hidden, and what becomes of
// them.
#pragma once

#include <optional>

#include "grader/diagnosis/formula.hpp"
#include "grader/fixture/case.hpp"
#include "reference/tensor.hpp"

namespace grader {

// The mask that the formula uses in place of `given`, broadcastable to the
// scores; nothing hides nothing. Throws std::invalid_argument where numpy
// refuses.
std::optional<reference::Mask> make_mask(
    MaskForm form, const std::optional<reference::Mask>& given,
    const Case& test_case);

// Whether keys are hidden before the softmax; else the weights are changed.
bool hides_before_softmax(const Formula& formula);

// Multiplies the scores by `factor` and hides where the mask is 0. Returns max
// |z| over the finite scores that are not hidden: a fill of -1e9 is no score
// whose rounding anyone has to allow for.
double scale_and_hide(reference::Tensor& scores, const Formula& formula,
                      double factor,
                      const std::optional<reference::Mask>& mask);

// Hides in the weights what should have been hidden in the scores.
void hide_weights(reference::Tensor& weights, const Formula& formula,
                  const std::optional<reference::Mask>& mask);

}  // namespace grader
