// SPDX-License-Identifier: MIT
#include "grader/diagnosis/search.hpp"

#include <algorithm>
#include <cmath>

#include "grader/comparison/magnitude.hpp"

namespace grader {
namespace {

// The runner-up has to be this many tolerances away for the best to be proven.
constexpr double proof_margin = 4.0;

struct Candidate {
  const Hypothesis* hypothesis;
  Formula formula;
  FormulaFit fit;
};

// What a formula says of one case, for comparing two formulas.
struct Said {
  std::string loud;
  bool weights_misfit;
  const reference::Tensor* weights;
  const reference::Tensor* output;
};

Said ask(const Formula& formula, const PreparedCase& prepared) {
  PredictionCache& cache = *prepared.predictions;
  const CachedWeights& weights =
      cache.weights(formula, prepared.inputs, DType::float64);
  Said said{weights.prediction.loud, weights.prediction.weights_misfit,
            &weights.prediction.weights, nullptr};
  if (said.loud.empty()) {
    const CachedOutput& output =
        cache.output(formula, prepared.inputs, DType::float64);
    said.loud = output.prediction.loud;
    said.output = &output.prediction.output;
  }
  return said;
}

bool say_the_same(const Formula& a, const Formula& b,
                  const Evidenced& evidenced) {
  constexpr double apart = 1e-9;
  if (!applies(a, evidenced.test_case()) ||
      !applies(b, evidenced.test_case())) {
    return false;
  }
  const IgnoredRows& ignored = evidenced.prepared->basis.ignored;
  const Said first = ask(a, *evidenced.prepared);
  const Said second = ask(b, *evidenced.prepared);
  if (!first.loud.empty() || !second.loud.empty()) {
    return first.loud.empty() == second.loud.empty();
  }
  if (max_error(*first.output, *second.output, ignored.output) > apart) {
    return false;
  }
  return !has_deciding_weights(*evidenced.observation) ||
         (first.weights_misfit == second.weights_misfit &&
          (first.weights_misfit || max_error(*first.weights, *second.weights,
                                             ignored.weights) <= apart));
}

// Formulas that give the same numbers on these cases: one class, not two.
bool is_same_class(const Formula& a, const Formula& b, const Scene& scene) {
  return a == b ||
         std::ranges::all_of(scene.cases, [&](const Evidenced& evidenced) {
           return !is_informative(*evidenced.prepared,
                                  unit_roundoff(scene.precision)) ||
                  say_the_same(a, b, evidenced);
         });
}

// What becomes of a row (or a column) that nothing is left of is seen only
// where the mask is another one, the denominator may be 0, or rows are mixed.
bool shows_empty_rows(const Formula& formula) {
  const Formula right;
  if (formula.mask == MaskForm::ignored) {
    return false;
  }
  switch (formula.softmax) {
    case Softmax::over_keys:
    case Softmax::missing:
    case Softmax::unnormalised:
    case Softmax::unnormalised_raw:
    case Softmax::twice:
    case Softmax::twice_masked:
    case Softmax::sigmoid:
    case Softmax::relu:
    case Softmax::plus_one:
    case Softmax::plus_one_raw:
    case Softmax::plus_one_shifted:
    case Softmax::log:
    case Softmax::renormalised_mask:
      break;
    default:
      return true;
  }
  return formula.mask != right.mask || formula.split != right.split ||
         formula.merge != right.merge ||
         formula.weighted_sum != right.weighted_sum;
}

bool is_known(const Explanation& explanation, const FaultSet& faults) {
  return faults == explanation.faults ||
         std::ranges::find(explanation.ties, faults) != explanation.ties.end();
}

// The axis that the fault is named after exists somewhere.
bool has_meaning(const Hypothesis& hypothesis, const Scene& scene) {
  return std::ranges::any_of(scene.cases, [&](const Evidenced& evidenced) {
    return has_axis(hypothesis.formula.scale, evidenced.test_case());
  });
}

// float16 loses every number of a loud case whatever the fault.
bool overflow_does_the_same(const Hypothesis& hypothesis, DType precision) {
  return is_half(precision) &&
         hypothesis.formula.fill_form == Fill::nan_where_kept;
}

class Search {
 public:
  explicit Search(const Scene& scene) : scene_(scene) {
    const auto probe =
        std::ranges::find_if(scene.cases, [&](const Evidenced& one) {
          return is_silent(*one.observation) &&
                 is_informative(*one.prepared, unit_roundoff(scene.precision));
        });
    probe_ = probe == scene.cases.end() ? nullptr : &*probe;
  }

  void consider(const Hypothesis& hypothesis) {
    if (!has_meaning(hypothesis, scene_) ||
        overflow_does_the_same(hypothesis, scene_.precision)) {
      return;
    }
    for (const Formula& context : scene_.contexts) {
      const auto formula = in_context(hypothesis.formula, context);
      if (formula && is_possible(hypothesis, *formula) &&
          consider_formula(hypothesis, *formula)) {
        return;
      }
    }
  }

  void consider_correct() {
    static const Hypothesis correct;
    consider(correct);
  }

  std::optional<Explanation> result() const {
    if (fitting_.empty()) {
      return std::nullopt;
    }
    const Candidate& best = fitting_.front();
    Explanation explanation{.faults = best.hypothesis->faults,
                            .ties = best.hypothesis->equivalents,
                            .formula = best.formula,
                            .fit = best.fit,
                            .is_tied = false,
                            .runner_up = std::nullopt};
    add_ties(explanation);
    // Whatever loses every number looks like it.
    explanation.is_tied |= best.formula.fill_form == Fill::nan_where_kept;
    return explanation;
  }

 private:
  // Pairs are thousands: most are passed over by a few cells of one case.
  bool is_possible(const Hypothesis& hypothesis, const Formula& formula) const {
    return hypothesis.faults.size() < 2 || probe_ == nullptr ||
           formula.is_fitted || may_fit(formula, *probe_, scene_.precision);
  }

  bool consider_formula(const Hypothesis& hypothesis, const Formula& formula) {
    const FormulaFit fit =
        fit_cases(formula, scene_.cases, scene_.precision, 1.0);
    // What is the right answer on these very cases is no fault of them: in 2-D
    // k.T is the right transpose.
    if (!fit.fits() || (!hypothesis.faults.empty() &&
                        is_same_class(formula, Formula{}, scene_))) {
      return false;
    }
    fitting_.push_back({&hypothesis, formula, fit});
    return true;
  }

  void add_ties(Explanation& explanation) const {
    for (const Candidate& other : fitting_) {
      const FaultSet& faults = other.hypothesis->faults;
      if (!is_known(explanation, faults)) {
        explanation.ties.push_back(faults);
        explanation.is_tied |=
            !is_same_class(explanation.formula, other.formula, scene_);
      }
    }
  }

  const Scene& scene_;
  const Evidenced* probe_ = nullptr;  // a silent case
  std::vector<Candidate> fitting_;
};

Formula harmless_part(const Formula& formula) {
  Formula context;
  if (formula.softmax == Softmax::renormalised_mask) {
    context.softmax = formula.softmax;
  }
  if (formula.fill_form == Fill::large_negative ||
      formula.fill_form == Fill::large_negative_added) {
    context.fill_form = formula.fill_form;
  }
  context.guarded = formula.guarded;
  context.epsilon = formula.epsilon;
  context.epsilon_on_shares = formula.epsilon_on_shares;
  context.epsilon_is_least = formula.epsilon_is_least;
  context.is_fitted = context.epsilon != 0.0;
  return context;
}

// A hypothesis that does not fit, and at least how far it is off.
struct Rival {
  const Hypothesis* hypothesis;
  Formula formula;
  double least_ratio;
};

// A few cases, spread over all: enough to leave most rivals far behind.
std::vector<Evidenced> probes(const std::vector<Evidenced>& cases) {
  constexpr std::size_t count = 6;
  if (cases.size() <= count) {
    return cases;
  }
  std::vector<Evidenced> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(cases[(2 * i + 1) * cases.size() / (2 * count)]);
  }
  return result;
}

// The right answer and every single fault that is not among the explanations,
// nearest first.
std::vector<Rival> find_rivals(const Scene& scene,
                               const Explanation& explanation) {
  static const Hypothesis correct;
  const Formula context = harmless_part(explanation.formula);
  const std::vector<Evidenced> few = probes(scene.cases);
  std::vector<Rival> rivals;
  const auto consider = [&](const Hypothesis& hypothesis) {
    const auto formula = in_context(hypothesis.formula, context);
    if (!formula || is_known(explanation, hypothesis.faults) ||
        !has_meaning(hypothesis, scene)) {
      return;
    }
    const FormulaFit fit = fit_cases(*formula, few, scene.precision, infinity);
    if (std::isfinite(fit.worst.ratio)) {
      rivals.push_back({&hypothesis, *formula, fit.worst.ratio});
    }
  };
  consider(correct);
  for (const Hypothesis& hypothesis : scene.hypotheses->singles) {
    consider(hypothesis);
  }
  std::ranges::stable_sort(rivals, {}, &Rival::least_ratio);
  return rivals;
}

// The nearest rival. Those that nearly fit leave the matter open: they are
// ties.
void find_runner_up(const Scene& scene, Explanation& explanation) {
  double nearest = infinity;
  for (const Rival& rival : find_rivals(scene, explanation)) {
    if (rival.least_ratio >= std::max(nearest, proof_margin)) {
      break;
    }
    const FormulaFit fit =
        fit_cases(rival.formula, scene.cases, scene.precision,
                  std::max(nearest, proof_margin));
    if (!fit.complete || !std::isfinite(fit.worst.ratio)) {
      continue;
    }
    const FaultSet& faults = rival.hypothesis->faults;
    if (fit.worst.ratio < nearest) {
      nearest = fit.worst.ratio;
      explanation.runner_up = faults;
      explanation.runner_up_error = fit.worst.error;
    }
    if (fit.worst.ratio < proof_margin && fit.silent_cases > 0 &&
        !faults.empty() && !is_known(explanation, faults)) {
      explanation.ties.push_back(faults);
    }
  }
  explanation.is_tied |= nearest < proof_margin;
}

}  // namespace

std::optional<Formula> in_context(const Formula& formula,
                                  const Formula& context) {
  const bool is_about_empty_rows =
      context.guarded || context.fill_form != Fill::minus_infinity;
  if ((is_about_empty_rows && !shows_empty_rows(formula)) ||
      !are_independent(formula, context)) {
    return std::nullopt;
  }
  return combine(formula, context);
}

std::optional<Explanation> explain_as_correct(const Scene& scene) {
  Search search(scene);
  search.consider_correct();
  return search.result();
}

std::optional<Explanation> explain_by(const HypothesisLists& lists,
                                      const Scene& scene) {
  Search search(scene);
  for (const std::vector<Hypothesis>* list : lists) {
    for (const Hypothesis& hypothesis : *list) {
      search.consider(hypothesis);
    }
  }
  auto explanation = search.result();
  if (explanation) {
    find_runner_up(scene, *explanation);
  }
  return explanation;
}

}  // namespace grader
