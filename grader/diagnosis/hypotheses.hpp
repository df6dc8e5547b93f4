// SPDX-License-Identifier: MIT
// The hypotheses of one kind of task: single faults, pairs of them, and the
// forms that look different and are right.
//
// Weights that a class holds itself were put there by the grader: which of them
// is called what, how their columns are dealt to the heads and which way round
// a bare array is stored is no fault, and no hypothesis.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/formula.hpp"
#include "grader/fixture/task.hpp"

namespace grader {

using FaultSet = std::vector<std::string>;

struct Hypothesis {
  FaultSet faults;
  Formula formula;
  // Other fault sets that mean the very same formula.
  std::vector<FaultSet> equivalents;
};

// Lists that are tried as one, in their order; they outlive their use.
using HypothesisLists = std::vector<const std::vector<Hypothesis>*>;

struct HypothesisSet {
  // One wrong variant each, in the order of the contract: of two that give the
  // same numbers on every input the first is reported.
  std::vector<Hypothesis> singles;
  // Two common variants at different stages, commonest first.
  std::vector<Hypothesis> doubles;
  // What is right, the plain form first, and gives other numbers only where
  // nothing is asked for or together with a fault: zeros in place of 0/0, fills
  // of -1e9, hidden keys zeroed after the softmax and the row divided again.
  std::vector<Formula> correct_forms;
};

// Where the weights of a projected kind are.
enum class Holder { arguments, layers, arrays };

// Made once; lives as long as the program.
const HypothesisSet& hypotheses_of(Kind kind, MaskMode mask_mode,
                                   Holder holder = Holder::arguments);
const HypothesisSet& hypotheses_of(const Case& test_case);

// Every fault that a formula of some kind and mode has the name of.
std::vector<std::string> faults_with_formulas();

// "product", "scale", "mask", "softmax", "weighted sum": the stages at which
// the formula is right.
std::vector<std::string> right_stages(const Formula& formula,
                                      MaskMode mask_mode);

}  // namespace grader
