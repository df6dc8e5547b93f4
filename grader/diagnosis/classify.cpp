// SPDX-License-Identifier: MIT
#include "grader/diagnosis/classify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/diagnosis/epsilon.hpp"
#include "grader/diagnosis/mask_fill.hpp"
#include "grader/diagnosis/precision.hpp"
#include "grader/diagnosis/scale_law.hpp"

namespace grader {
namespace {

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.9g", value);
  return buffer.data();
}

void add_unique(FaultSet& set, const std::string& fault) {
  if (std::ranges::find(set, fault) == set.end()) {
    set.push_back(fault);
  }
}

Scene make_scene(std::vector<Evidenced> cases, DType precision,
                 const std::vector<Formula>& contexts) {
  return {
      .cases = std::move(cases), .precision = precision, .contexts = contexts};
}

// Harmless variations that this submission may show.
std::vector<Formula> find_contexts(const std::vector<Evidenced>& cases,
                                   DType precision) {
  const bool has_mask = std::ranges::any_of(cases, [](const Evidenced& one) {
    return one.test_case().mask_mode != MaskMode::none;
  });
  std::vector<Formula> contexts = {Formula{}};
  if (has_mask) {
    contexts = correct_forms();
  }
  if (const auto epsilon = fit_epsilon(cases, precision)) {
    contexts.push_back({.epsilon = *epsilon});
  }
  return contexts;
}

// A large epsilon is a fault of its own, beside the one it was found with.
void add_epsilon_fault(Explanation& explanation) {
  if (explanation.formula.epsilon > largest_harmless_epsilon) {
    explanation.faults.emplace_back("softmax-large-epsilon");
    for (FaultSet& tie : explanation.ties) {
      tie.emplace_back("softmax-large-epsilon");
    }
  }
}

std::optional<Explanation> explain(const std::vector<Hypothesis>& hypotheses,
                                   const Scene& scene) {
  auto explanation = explain_by(hypotheses, scene);
  if (explanation) {
    add_epsilon_fault(*explanation);
  }
  return explanation;
}

// What of the whole formula shows in one rank: q @ k.T is right in 2-D.
FaultSet visible_faults(const Explanation& explanation, const Scene& rank) {
  if (explain_as_correct(rank)) {
    return {};
  }
  for (const Hypothesis& single : single_faults()) {
    const bool part_of =
        std::ranges::find(explanation.faults, single.faults.front()) !=
        explanation.faults.end();
    if (part_of && explanation.faults.size() > 1 &&
        fit_cases(single.formula, rank.cases, rank.precision, 1.0).fits()) {
      return single.faults;
    }
  }
  return explanation.faults;
}

void describe_formula(const Explanation& explanation,
                      Classification& classification) {
  const Formula& formula = explanation.formula;
  if (formula.epsilon > 0.0) {
    classification.params["epsilon"] = number_text(formula.epsilon);
  }
  if (formula.epsilon > 0.0 && formula.epsilon <= largest_harmless_epsilon) {
    classification.notes.emplace_back("small-epsilon");
  }
  if (formula.fill_form == Fill::added_then_scaled) {
    classification.params["fill"] = number_text(formula.fill);
  }
  switch (formula.scale) {
    case Scale::by_half_dk:
      classification.params["variant"] = "divided by d_k / 2";
      break;
    case Scale::times_half_dk:
      classification.params["variant"] = "multiplied by d_k / 2";
      break;
    case Scale::constant:
      classification.params["constant"] = number_text(formula.constant);
      break;
    case Scale::by_sqrt_dk:
    case Scale::none:
    case Scale::by_dk:
    case Scale::times_sqrt_dk:
    case Scale::by_fourth_root_dk:
    case Scale::by_sqrt_dmodel:
    case Scale::by_dmodel:
    case Scale::by_sqrt_heads:
    case Scale::by_heads:
    case Scale::by_sqrt_keys:
    case Scale::by_keys:
    case Scale::by_sqrt_queries:
    case Scale::by_queries:
    case Scale::by_sqrt_dv:
    case Scale::by_dv:
    case Scale::by_sqrt_batch:
    case Scale::by_batch:
    case Scale::zero:
    case Scale::negated:
    case Scale::base_two:
      break;
  }
  if (formula.softmax == Softmax::over_matrix) {
    classification.params["axis"] = "each matrix";
  } else if (formula.softmax == Softmax::over_all) {
    classification.params["axis"] = "the whole tensor";
  } else if (formula.softmax == Softmax::unnormalised_raw) {
    classification.params["variant"] = "exp(z), without the max shift";
  } else if (formula.softmax == Softmax::unnormalised) {
    classification.params["variant"] = "exp(z - max z)";
  }
}

// Classifies at one precision.
class Classifier {
 public:
  Classifier(const RankedCases& cases, DType precision)
      : cases_(cases),
        contexts_(find_contexts(cases.all(), precision)),
        whole_(make_scene(cases.all(), precision, contexts_)) {}

  std::optional<Classification> correct() const {
    auto explanation = explain_as_correct(whole_);
    if (!explanation) {
      return std::nullopt;
    }
    add_epsilon_fault(*explanation);
    return from_whole(std::move(*explanation));
  }

  std::optional<Classification> faulty() const {
    if (auto single = explain(single_faults(), whole_)) {
      return from_whole(std::move(*single));
    }
    if (auto fill = explain(fitted_fills(whole_.cases), whole_)) {
      return from_whole(std::move(*fill));
    }
    if (auto ranks = rank_by_rank({&single_faults()})) {
      return ranks;
    }
    if (auto both = explain(double_faults(), whole_)) {
      return from_whole(std::move(*both));
    }
    if (auto ranks = rank_by_rank({&single_faults(), &double_faults()})) {
      return ranks;
    }
    return free_scale();
  }

 private:
  Scene rank_scene(const std::vector<Evidenced>& cases) const {
    return make_scene(cases, whole_.precision, contexts_);
  }

  Classification from_whole(Explanation explanation) const {
    Classification result;
    result.is_correct = explanation.faults.empty();
    result.faults = explanation.faults;
    result.ties = explanation.ties;
    result.certainty = explanation.is_tied ? "tied" : "proven";
    result.precision = whole_.precision;
    for (const auto& [rank, cases] : cases_.supported) {
      result.faults_by_rank[rank] =
          visible_faults(explanation, rank_scene(cases));
    }
    describe_formula(explanation, result);
    result.explanation = std::move(explanation);
    return result;
  }

  using Lists = std::vector<const std::vector<Hypothesis>*>;

  std::optional<Explanation> explain_rank(const Scene& scene,
                                          const Lists& lists) const {
    if (auto right = explain_as_correct(scene)) {
      add_epsilon_fault(*right);
      return right;
    }
    for (const auto* hypotheses : lists) {
      if (auto explanation = explain(*hypotheses, scene)) {
        return explanation;
      }
    }
    return std::nullopt;
  }

  std::optional<Classification> rank_by_rank(const Lists& lists) const {
    if (cases_.supported.size() < 2) {
      return std::nullopt;
    }
    Classification result;
    result.certainty = "proven";
    result.precision = whole_.precision;
    for (const auto& [rank, cases] : cases_.supported) {
      auto explanation = explain_rank(rank_scene(cases), lists);
      if (!explanation) {
        return std::nullopt;
      }
      add_rank(rank, std::move(*explanation), result);
    }
    if (result.faults.empty()) {
      return std::nullopt;  // right in every rank: no fault to name
    }
    return result;
  }

  static void add_rank(int rank, Explanation explanation,
                       Classification& result) {
    if (explanation.is_tied) {
      result.certainty = "tied";
    }
    result.faults_by_rank[rank] = explanation.faults;
    const bool first = result.faults.empty() && !explanation.faults.empty();
    for (const std::string& fault : explanation.faults) {
      add_unique(result.faults, fault);
    }
    if (first) {
      describe_formula(explanation, result);
      result.explanation = std::move(explanation);
    }
  }

  // A pure scale that no hypothesis names: the law itself is the finding.
  std::optional<Classification> free_scale() const {
    const auto points = measure_scale(whole_.cases, whole_.precision);
    const auto laws = fit_scale_laws(points, whole_.precision);
    for (const ScaleLaw& law : laws) {
      if (is_right_law(law)) {
        continue;
      }
      if (auto fit = fit_law(law)) {
        return from_law(law, *fit);
      }
    }
    return std::nullopt;
  }

  // Relative uncertainty of a fitted factor. It must stay near rounding, or
  // the fit would excuse what it cannot explain.
  double law_error(const ScaleLaw& law) const {
    const double u = unit_roundoff(whole_.precision);
    return std::clamp(8.0 * law.exponent_error, 64.0 * u, 4096.0 * u);
  }

  // 1/sqrt(d_k) found again is no finding: the numbers are off for another
  // reason.
  bool is_right_law(const ScaleLaw& law) const {
    const double limit = std::max(8.0 * law.exponent_error,
                                  64.0 * unit_roundoff(whole_.precision));
    return std::ranges::all_of(whole_.cases, [&](const Evidenced& one) {
      const Dimensions& dimensions = one.test_case().dimensions;
      const double right = scale_factor(Formula{}, dimensions);
      return std::abs(evaluate_law(law, dimensions) / right - 1.0) <= limit;
    });
  }

  Formula law_formula(const ScaleLaw& law, const Case& test_case) const {
    return {.scale = Scale::constant,
            .constant = evaluate_law(law, test_case.dimensions),
            .constant_error = law_error(law)};
  }

  std::optional<FormulaFit> fit_law(const ScaleLaw& law) const {
    for (const Formula& context : contexts_) {
      FormulaFit fit;
      for (const Evidenced& evidenced : whole_.cases) {
        if (!is_informative(*evidenced.prepared,
                            unit_roundoff(whole_.precision))) {
          continue;
        }
        Formula formula = law_formula(law, evidenced.test_case());
        formula.epsilon = context.epsilon;
        formula.softmax = context.softmax;
        fit.add(fit_case(formula, evidenced, whole_.precision));
      }
      fit.complete = true;
      if (fit.fits()) {
        return fit;
      }
    }
    return std::nullopt;
  }

  Classification from_law(const ScaleLaw& law, const FormulaFit& fit) const {
    Classification result;
    const bool is_constant = law.exponents.empty();
    result.faults = {is_constant ? "scale-constant" : "scale-other"};
    result.certainty = is_constant ? "proven" : "fitted";
    result.precision = whole_.precision;
    result.params["constant"] = number_text(law.constant);
    if (!is_constant) {
      result.params["law"] = describe_law(law);
    }
    result.explanation.faults = result.faults;
    result.explanation.fit = fit;
    result.explanation.formula = {.scale = Scale::constant,
                                  .constant = law.constant};
    for (const auto& [rank, cases] : cases_.supported) {
      const bool right = explain_as_correct(rank_scene(cases)).has_value();
      result.faults_by_rank[rank] = right ? FaultSet{} : result.faults;
    }
    return result;
  }

  const RankedCases& cases_;
  std::vector<Formula> contexts_;
  Scene whole_;
};

// Half precision leaves room for much else, so only its grid counts.
bool is_excused(const std::vector<Evidenced>& cases, DType precision,
                bool on_grid) {
  return scale_is_right(cases, precision) && hides_fully(cases) &&
         (on_grid ||
          (precision == DType::float32 && rounding_explains(cases, precision)));
}

}  // namespace

std::vector<Evidenced> RankedCases::all() const {
  std::vector<Evidenced> result;
  for (const auto& [rank, cases] : supported) {
    result.insert(result.end(), cases.begin(), cases.end());
  }
  return result;
}

RankedCases split_ranks(const Observations& observations,
                        const std::vector<PreparedCase>& prepared) {
  std::map<int, std::vector<Evidenced>> ranks;
  for (const CaseObservation& observation : observations.cases) {
    const auto found = std::ranges::find(prepared, observation.test_case,
                                         &PreparedCase::test_case);
    ranks[observation.test_case->rank].push_back({&*found, &observation});
  }
  RankedCases result;
  for (auto& [rank, cases] : ranks) {
    const bool answers = std::ranges::any_of(cases, [](const Evidenced& one) {
      return is_silent(*one.observation);
    });
    if (answers) {
      result.supported[rank] = std::move(cases);
    } else {
      result.declined.push_back(rank);
    }
  }
  return result;
}

std::optional<Classification> classify(const RankedCases& cases,
                                       DType interface_precision) {
  const Classifier at_interface(cases, interface_precision);
  if (auto result = at_interface.correct()) {
    return result;
  }
  if (auto result = at_interface.faulty()) {
    return result;
  }
  const std::vector<Evidenced> all = cases.all();
  for (const DType precision : lower_precisions(interface_precision)) {
    if (!rounding_shows(all, precision)) {
      continue;
    }
    const bool on_grid = is_on_grid(all, precision);
    const Classifier lower(cases, precision);
    auto result = lower.correct();
    if (result && !is_excused(all, precision, on_grid)) {
      result.reset();
    }
    if (!result && on_grid) {
      result = lower.faulty();
    }
    if (result) {
      result->notes.emplace_back(precision_note(precision));
      return result;
    }
  }
  return std::nullopt;
}

}  // namespace grader
