// SPDX-License-Identifier: MIT
// The nearest hypothesis: which fault sets reproduce what was observed, which
// come next, and how far away.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/explain.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {

struct Explanation {
  FaultSet faults;             // empty: correct
  std::vector<FaultSet> ties;  // other complete sets with the same numbers
  Formula formula;
  FormulaFit fit;
  // A different calculation fits as well, or nearly: not proven.
  bool is_tied = false;
  std::optional<FaultSet> runner_up;  // the nearest that does not fit
  double runner_up_error = 0.0;
};

// The evidence of one submission at one precision. `contexts` are harmless
// variations (the right form first) in which every hypothesis is tried: an
// epsilon, a mask after the softmax with renormalisation.
struct Scene {
  const HypothesisSet* hypotheses = nullptr;
  std::vector<Evidenced> cases;
  DType precision = DType::float64;
  std::vector<Formula> contexts;
};

// The formula in a harmless context; nothing when the two do not go together.
std::optional<Formula> in_context(const Formula& formula,
                                  const Formula& context);

// The right answer in any context.
std::optional<Explanation> explain_as_correct(const Scene& scene);

// The first hypothesis that fits, with its ties and the runner-up.
std::optional<Explanation> explain_by(const HypothesisLists& lists,
                                      const Scene& scene);

}  // namespace grader
