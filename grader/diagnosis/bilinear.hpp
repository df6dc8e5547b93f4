// SPDX-License-Identifier: MIT
// Scores that no named formula gives, but that are still linear in the query
// and in the key: z = q M k^T with one matrix M for every batch and head.
// Within a row log W differs from z by a constant, so M is found by least
// squares. What M is says what was done to the features. Evidence beside an
// answer without a name, never a fault by itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/evidence.hpp"

namespace grader {

struct BilinearForm {
  std::string text;  // "only features 1 to 2 of 7 enter the scores"
  // (d_k, d_k), the factor of the scores included; of the narrowest case.
  reference::Tensor matrix;
  int cases = 0;  // that M was found and confirmed on, fresh twins included
};

// Cases of up to 16 features with half again as many weights as M has cells
// enter; queries and keys are tried as they are, scaled to unit length,
// standardised and, where the task projects, unprojected. Nothing where no M
// reproduces the weights of all these cases, or where M is a multiple of the
// identity: then the scores are not what is wrong.
std::optional<BilinearForm> find_bilinear_form(
    const std::vector<Evidenced>& cases, DType precision);

}  // namespace grader
