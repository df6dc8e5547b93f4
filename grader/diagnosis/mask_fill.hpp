// SPDX-License-Identifier: MIT
// A finite number that is added to hidden scores, read off the weight that the
// hidden keys keep.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/explain.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {

// The fill f of z = (s + f) / sqrt(d_k): the mask is scaled with the scores.
// Nothing where no hidden key has any weight.
std::optional<double> fit_scaled_fill(const std::vector<Evidenced>& cases);

// `scale-mask-too` with the fitted fill, or none. The fit proposes, the
// comparison over all widths decides.
std::vector<Hypothesis> fitted_fills(const std::vector<Evidenced>& cases);

}  // namespace grader
