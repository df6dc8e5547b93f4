// SPDX-License-Identifier: MIT
// Lower precision inside the interface: accepted only on evidence. A right
// answer computed in float32 behind a float64 interface is right; a wrong scale
// that happens to fit a float32 tolerance is not.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/explain.hpp"

namespace grader {

// The lower precisions to try, in order: float64 -> float32, float16, bfloat16.
std::vector<DType> lower_precisions(DType interface_precision);

// Every weight (else output) that came back is a number of that precision.
bool is_on_grid(const std::vector<Evidenced>& cases, DType precision);

// Rounding at that precision shows: somewhere an informative case is off by a
// good part of its unit roundoff. An answer that is exact there has no need of
// the excuse, and failed for another reason.
bool rounding_shows(const std::vector<Evidenced>& cases, DType precision);

// The textbook calculation, each intermediate rounded to `precision`, is off by
// The textbook calculation, each intermediate rounded to `precision`, is off by
// at least a quarter of what the submission is off from the formula that
// explains it, in units of the cases' tolerances and over all of them: single
// cases are exact by luck.
bool rounding_explains(const std::vector<Evidenced>& cases,
                       const Formula& formula, DType precision);

// Outputs alone, in half precision: behind projections the derived tolerance is
// too wide to prove anything, so each case is held against the textbook
// calculation in that precision: on its grid, off by no more than four times as
// much, and with the right scale. False where there are weights to go by.
bool is_rounded_output(const std::vector<Evidenced>& cases, DType precision);

// Over all informative rows together: an epsilon makes every row too small,
// where rounding is as often up as down.
bool rows_sum_to_one(const std::vector<Evidenced>& cases, DType precision);

// Hidden keys have no weight at all on informative cases: a leak is no
// rounding.
bool hides_fully(const std::vector<Evidenced>& cases, DType precision);

// The fitted scale is the right one, within its own uncertainty.
bool scale_is_right(const std::vector<Evidenced>& cases, DType precision);

// "single-precision", "half-precision": the note that goes with it.
const char* precision_note(DType precision);

}  // namespace grader
