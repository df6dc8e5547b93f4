// SPDX-License-Identifier: MIT
// The scale of one case, measured: within a row log W and the raw scores s = q
// k^T differ by a constant wherever W = softmax(c s), so the slope of one over
// the other is c, whatever the normaliser was.
#pragma once

#include <optional>

#include "grader/diagnosis/evidence.hpp"

namespace grader {

// Over allowed cells with W > 1e-5, centred row by row. Nothing where there are
// no weights, or where saturation leaves fewer than three cells.
std::optional<Slope> fit_slope(const PreparedCase& prepared,
                               const CaseObservation& observation);

// The same, ready to be explained.
Evidenced gather_evidence(const PreparedCase& prepared,
                          const CaseObservation& observation);

}  // namespace grader
