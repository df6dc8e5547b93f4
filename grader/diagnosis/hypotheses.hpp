// SPDX-License-Identifier: MIT
// The catalogue as formulas: which fault is which wrong variant. Texts are in
// catalogue.json; a test holds the two together.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/formula.hpp"

namespace grader {

using FaultSet = std::vector<std::string>;

struct Hypothesis {
  FaultSet faults;
  Formula formula;
  // Other fault sets that mean the very same formula.
  std::vector<FaultSet> equivalents;
};

// One wrong variant each, in the order of the contract: of two that give the
// same numbers on every input the first is reported.
const std::vector<Hypothesis>& single_faults();

// Two wrong variants at different stages, commonest first.
const std::vector<Hypothesis>& double_faults();

// What is right and looks different: zeroing hidden keys after the softmax and
// dividing the row again.
const std::vector<Formula>& correct_forms();

// "product", "scale", "mask", "softmax", "weighted sum": the stages at which
// the formula is right.
std::vector<std::string> right_stages(const Formula& formula,
                                      MaskMode mask_mode);

}  // namespace grader
