// SPDX-License-Identifier: MIT
// What cannot be told apart where a class fixes a size: a power of it and a
// number.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/evidence.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {

// The faults with "scale-constant" in place of their scale, where the formula's
// scale is a power of a size that the class fixes: the same numbers on every
// input that the class can take.
std::optional<FaultSet> as_constant(const FaultSet& faults,
                                    const Formula& formula,
                                    const std::vector<Evidenced>& cases);

// Whether the class fixes d_k: then a number may be a power of it.
bool has_one_key_width(const std::vector<Evidenced>& cases);

}  // namespace grader
