// SPDX-License-Identifier: MIT
#include "grader/diagnosis/classify.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grader/diagnosis/epsilon.hpp"
#include "grader/diagnosis/fixed_sizes.hpp"
#include "grader/diagnosis/free_scale.hpp"
#include "grader/diagnosis/loud_ranks.hpp"
#include "grader/diagnosis/mask_fill.hpp"
#include "grader/diagnosis/params.hpp"
#include "grader/diagnosis/precision.hpp"

namespace grader {
namespace {

void add_unique(FaultSet& set, const std::string& fault) {
  if (std::ranges::find(set, fault) == set.end()) {
    set.push_back(fault);
  }
}

const HypothesisSet& hypotheses_for(const std::vector<Evidenced>& cases) {
  const Case& test_case = cases.front().test_case();
  return hypotheses_of(test_case);
}

Scene make_scene(std::vector<Evidenced> cases, DType precision,
                 const std::vector<Formula>& contexts) {
  const HypothesisSet& hypotheses = hypotheses_for(cases);
  return {.hypotheses = &hypotheses,
          .cases = std::move(cases),
          .precision = precision,
          .contexts = contexts};
}

// Harmless variations that this submission may show.
std::vector<Formula> find_contexts(const std::vector<Evidenced>& cases,
                                   DType precision) {
  std::vector<Formula> contexts = hypotheses_for(cases).correct_forms;
  for (const Formula& form : fit_epsilons(cases, precision)) {
    contexts.push_back(form);
  }
  return contexts;
}

// A large epsilon is a fault of its own, beside the one it was found with; an
// epsilon of 1 has two names. Those of the hypotheses themselves are in their
// names.
void add_epsilon_fault(Explanation& explanation) {
  const Formula& formula = explanation.formula;
  if (!formula.is_fitted || is_harmless(formula.epsilon)) {
    return;
  }
  const bool is_one = std::abs(formula.epsilon - 1.0) < 1e-9;
  const FaultSet beside = explanation.faults;
  const char* name = is_one ? "softmax-plus-one" : "softmax-large-epsilon";
  explanation.faults.emplace_back(name);
  for (FaultSet& tie : explanation.ties) {
    tie.emplace_back(name);
  }
  if (is_one) {
    explanation.ties.push_back(beside);
    explanation.ties.back().emplace_back("softmax-large-epsilon");
  }
}

std::optional<Explanation> explain(const HypothesisLists& lists,
                                   const Scene& scene) {
  auto explanation = explain_by(lists, scene);
  if (explanation) {
    add_epsilon_fault(*explanation);
  }
  return explanation;
}

// Contexts may hold an epsilon that is too large.
bool is_right(const Scene& scene) {
  const auto explanation = explain_as_correct(scene);
  return explanation && is_harmless(explanation->formula.epsilon);
}

// What of the whole formula shows in one rank: q @ k.T is right in 2-D.
FaultSet visible_faults(const Explanation& explanation, const Scene& rank) {
  if (is_right(rank)) {
    return {};
  }
  for (const Hypothesis& single : rank.hypotheses->singles) {
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

// No case shows a scale that anyone would call another.
bool slopes_are_nearly_right(const std::vector<Evidenced>& cases) {
  constexpr double near = 1e-5;
  return std::ranges::all_of(cases, [](const Evidenced& one) {
    if (!one.slope) {
      return true;
    }
    const double right =
        scale_factor(scales::by_sqrt_dk, one.test_case().dimensions);
    return std::abs(one.slope->value / right - 1.0) < near;
  });
}

bool has_weights(const std::vector<Evidenced>& cases) {
  return std::ranges::any_of(cases, [](const Evidenced& one) {
    return has_deciding_weights(*one.observation);
  });
}

// Classifies at one precision.
class Classifier {
 public:
  Classifier(const RankedCases& cases, DType precision)
      : cases_(cases),
        contexts_(find_contexts(cases.all(), precision)),
        whole_(make_scene(cases.all(), precision, contexts_)) {}

  std::optional<Classification> correct() const {
    if (auto explanation = explain_as_correct(whole_)) {
      if (is_weak_fill(*explanation)) {
        return std::nullopt;
      }
      add_epsilon_fault(*explanation);
      return from_whole(std::move(*explanation));
    }
    if (auto explanation = explain_by_usual_epsilon()) {
      add_epsilon_fault(*explanation);
      return from_whole(std::move(*explanation));
    }
    // log2(e) typed with nine digits is the right scale to anyone's purpose.
    if (const auto finding = slopes_are_nearly_right(whole_.cases)
                                 ? find_free_scale(whole_)
                                 : std::nullopt;
        finding && finding->is_nearly_right) {
      Classification rounded = from_law(*finding);
      rounded.is_correct = true;
      rounded.faults.clear();
      rounded.faults_by_rank.clear();
      rounded.notes.emplace_back("rounded-scale");
      rounded.explanation.faults.clear();
      rounded.explanation.formula = {
          .scale = {finding->law.constant, SizeAxis::d_k, -0.5},
          .scale_error = unit_roundoff(DType::float32)};
      return rounded;
    }
    // Each rank may be right in a harmless form of its own.
    auto ranks = rank_by_rank({});
    if (ranks && ranks->faults.empty()) {
      ranks->is_correct = true;
      return ranks;
    }
    return std::nullopt;
  }

  std::optional<Classification> faulty() const {
    // A number that is seen comes before the numbers that people write; what
    // may be rounding comes last.
    const FittedFills fills = fitted_fills(whole_.cases);
    if (auto single = explain(
            {&fills.clear, &whole_.hypotheses->singles, &fills.tiny}, whole_)) {
      return from_whole(std::move(*single));
    }
    if (auto ranks = rank_by_rank({&whole_.hypotheses->singles});
        ranks && !ranks->faults.empty()) {
      return ranks;
    }
    if (auto single = beside_rounded_scale({&whole_.hypotheses->singles})) {
      return single;
    }
    if (auto single = single_beside_usual_epsilon()) {
      return single;
    }
    return can_prove_pairs() ? pair() : find_scale();
  }

 private:
  std::optional<Classification> pair() const {
    const std::vector<Hypothesis> fills_with_scales =
        fitted_fills_with_scales(whole_.cases, whole_.hypotheses->singles);
    if (auto both = explain({&fills_with_scales}, whole_)) {
      return from_whole(std::move(*both));
    }
    if (auto both = explain({&whole_.hypotheses->doubles}, whole_)) {
      return from_whole(std::move(*both));
    }
    if (auto both = beside_rounded_scale({&whole_.hypotheses->doubles})) {
      return both;
    }
    // Of a rank that hardly runs, two faults at once are not asked for.
    if (find_loud_ranks(cases_).empty()) {
      if (auto ranks = rank_by_rank(
              {&whole_.hypotheses->singles, &whole_.hypotheses->doubles});
          ranks && !ranks->faults.empty()) {
        return ranks;
      }
    }
    return find_scale();
  }

  std::optional<Classification> find_scale() const {
    if (const auto finding = find_free_scale(whole_)) {
      return from_law(*finding);
    }
    if (const auto finding = find_scales_by_case(whole_)) {
      Classification result = from_fit({"scale-other"}, finding->fit);
      result.certainty = "fitted";
      result.params["factors"] = finding->text;
      result.explanation.formula = {.scale =
                                        scales::none};  // not the right one
      return result;
    }
    return std::nullopt;
  }

  // sqrtf(d_k) in a function of doubles: the scale is known to seven digits,
  // and all else is computed in float64, whose exponentials overflow elsewhere.
  std::optional<Classification> beside_rounded_scale(
      const HypothesisLists& lists) const {
    if (whole_.precision != DType::float64 ||
        is_on_grid(whole_.cases, DType::float32)) {
      return std::nullopt;
    }
    Scene scene = whole_;
    for (Formula& context : scene.contexts) {
      context.scale_error = 4.0 * unit_roundoff(DType::float32);
    }
    if (explain_as_correct(scene)) {
      return std::nullopt;  // then it is no fault's proof
    }
    auto explanation = explain(lists, scene);
    if (!explanation) {
      return std::nullopt;
    }
    Classification result = from_whole(std::move(*explanation));
    result.notes.emplace_back("rounded-scale");
    return result;
  }

  // Among thousands of pairs one comes near outputs of two digits by chance.
  bool can_prove_pairs() const {
    return !is_half(whole_.precision) || has_weights(whole_.cases);
  }

  // A habit beside a fault; as above, without weights none can be fitted. Only
  // float64 sees one, and only the commonest are worth the time of all faults.
  std::optional<Classification> single_beside_usual_epsilon() const {
    if (has_weights(whole_.cases) || whole_.precision != DType::float64) {
      return std::nullopt;
    }
    Scene scene = whole_;
    scene.contexts.clear();
    for (const double epsilon : {1e-12, 1e-10, 1e-9, 1e-8, 1e-6}) {
      scene.contexts.push_back({.epsilon = epsilon, .is_fitted = true});
    }
    auto single = explain({&scene.hypotheses->singles}, scene);
    return single ? std::optional(from_whole(std::move(*single)))
                  : std::nullopt;
  }

  // A late mask loses rows to underflow, and nothing is asked of those. Numbers
  // that a weak fill leaves just there are its doing.
  bool is_weak_fill(const Explanation& explanation) const {
    return explanation.formula.softmax == Softmax::renormalised_mask &&
           std::ranges::any_of(
               whole_.hypotheses->singles, [&](const Hypothesis& single) {
                 return single.faults.front() == "mask-weak-fill" &&
                        fit_cases(single.formula, whole_.cases,
                                  whole_.precision, 1.0)
                            .fits();
               });
  }

  Scene rank_scene(const std::vector<Evidenced>& cases) const {
    return make_scene(cases, whole_.precision, contexts_);
  }

  // Without weights no epsilon can be fitted: those that people write are
  // tried.
  std::optional<Explanation> explain_by_usual_epsilon() const {
    if (has_weights(whole_.cases)) {
      return std::nullopt;
    }
    Scene scene = whole_;
    scene.contexts = usual_epsilons(whole_.hypotheses->correct_forms);
    return explain_as_correct(scene);
  }

  Classification from_whole(Explanation explanation) const {
    Classification result;
    result.is_correct = explanation.faults.empty();
    result.faults = explanation.faults;
    result.ties = explanation.ties;
    if (auto constant = as_constant(explanation.faults, explanation.formula,
                                    whole_.cases)) {
      result.ties.push_back(std::move(*constant));
    }
    result.certainty = explanation.is_tied ? "tied" : "proven";
    result.precision = whole_.precision;
    for (const auto& [rank, cases] : cases_.supported) {
      result.faults_by_rank[rank] =
          visible_faults(explanation, rank_scene(cases));
    }
    add_details(std::move(explanation), result);
    return result;
  }

  static void add_details(Explanation explanation, Classification& result) {
    result.params = describe_params(explanation.formula);
    if (explanation.formula.softmax == Softmax::renormalised_mask) {
      result.notes.emplace_back("late-mask");
    }
    if (explanation.formula.is_fitted && explanation.formula.epsilon > 0.0 &&
        is_harmless(explanation.formula.epsilon)) {
      result.notes.emplace_back("small-epsilon");
    }
    result.explanation = std::move(explanation);
  }

  Classification from_law(const LawFinding& finding) const {
    const ScaleLaw& law = finding.law;
    const bool is_constant = law.exponents.empty();
    Classification result =
        from_fit({is_constant ? "scale-constant" : "scale-other"}, finding.fit);
    result.certainty = is_constant ? "proven" : "fitted";
    result.params["constant"] = number_text(law.constant);
    if (is_constant && std::abs(law.constant / std::numbers::ln2 - 1.0) <
                           unit_roundoff(DType::float32)) {
      result.ties.push_back({"scale-missing", "softmax-base-2"});
    }
    if (is_constant && has_one_key_width(whole_.cases)) {
      result.ties.push_back({"scale-other"});
    }
    if (!is_constant) {
      result.params["law"] = describe_law(law);
    }
    result.explanation.formula = {.scale = scales::constant(law.constant)};
    return result;
  }

  // A scale that was fitted; ranks on which it is right have no fault.
  Classification from_fit(const FaultSet& faults, const FormulaFit& fit) const {
    Classification result;
    result.faults = faults;
    result.precision = whole_.precision;
    result.explanation.faults = faults;
    result.explanation.fit = fit;
    for (const auto& [rank, cases] : cases_.supported) {
      const bool right = is_right(rank_scene(cases));
      result.faults_by_rank[rank] = right ? FaultSet{} : result.faults;
    }
    return result;
  }

  // The first of the lists that explains the rank.
  std::optional<Explanation> explain_rank(const Scene& scene,
                                          const HypothesisLists& lists) const {
    if (auto right = explain_as_correct(scene)) {
      add_epsilon_fault(*right);
      return right;
    }
    for (const auto* list : lists) {
      if (auto explanation = explain({list}, scene)) {
        return explanation;
      }
    }
    return std::nullopt;
  }

  std::optional<Classification> rank_by_rank(
      const HypothesisLists& lists) const {
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
      add_details(std::move(explanation), result);
    }
  }

  const RankedCases& cases_;
  std::vector<Formula> contexts_;
  Scene whole_;
};

bool is_excused(const std::vector<Evidenced>& cases, const Formula& formula,
                DType precision) {
  return scale_is_right(cases, precision) && hides_fully(cases, precision) &&
         (formula.epsilon > 0.0 || rows_sum_to_one(cases, precision)) &&
         (is_on_grid(cases, precision) ||
          (!is_half(precision) &&
           rounding_explains(cases, formula, precision)));
}

// What the right answer fits as well is no fault's proof.
bool right_answer_fits(const std::vector<Evidenced>& cases, DType precision) {
  const FormulaFit fit = fit_cases(Formula{}, cases, precision, 1.0);
  return fit.complete && fit.worst.ratio <= 1.0;
}

// Outputs in half precision that the textbook calculation explains.
std::optional<Classification> right_by_simulation(const RankedCases& cases,
                                                  DType precision) {
  if (precision == DType::float32 ||
      !is_rounded_output(cases.all(), precision)) {
    return std::nullopt;
  }
  Classification result;
  result.is_correct = true;
  result.certainty = "proven";
  result.precision = precision;
  for (const auto& entry : cases.supported) {
    result.faults_by_rank[entry.first] = {};
  }
  return result;
}

std::optional<Classification> classify_at(const RankedCases& cases,
                                          DType precision) {
  const std::vector<Evidenced> all = cases.all();
  if (!rounding_shows(all, precision)) {
    return right_by_simulation(cases, precision);
  }
  const Classifier lower(cases, precision);
  if (auto result = lower.correct()) {
    return is_excused(all, result->explanation.formula, precision)
               ? result
               : std::nullopt;
  }
  if (auto result = right_by_simulation(cases, precision)) {
    return result;
  }
  // At seven digits no fault is near another, whatever was rounded and where;
  // at three it takes the grid to believe it.
  const bool is_credible =
      precision == DType::float32 || is_on_grid(all, precision);
  return is_credible && !right_answer_fits(all, precision) ? lower.faulty()
                                                           : std::nullopt;
}

// One result in a lower precision than the other, which decided.
void note_lower_results(const std::vector<Evidenced>& cases,
                        DType interface_precision, Classification& result) {
  for (const Evidenced& one : cases) {
    const CaseObservation& observation = *one.observation;
    const auto rounding = return_rounding(observation, interface_precision);
    if (rounding.output > 0.0) {
      add_unique(result.notes, precision_note(observation.output_dtype));
    }
    if (rounding.weights > 0.0) {
      add_unique(result.notes, precision_note(observation.weights_dtype));
    }
  }
}

std::optional<Classification> classify_ranks(const RankedCases& cases,
                                             DType interface_precision) {
  const Classifier at_interface(cases, interface_precision);
  auto at_once = at_interface.correct();
  if (!at_once) {
    at_once = at_interface.faulty();
  }
  if (at_once) {
    note_lower_results(cases.all(), interface_precision, *at_once);
    return at_once;
  }
  for (const DType precision : lower_precisions(interface_precision)) {
    if (auto result = classify_at(cases, precision)) {
      result->notes.emplace_back(precision_note(precision));
      return result;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Classification> classify(const RankedCases& cases,
                                       DType interface_precision) {
  auto whole = classify_ranks(cases, interface_precision);
  const std::vector<int> loud =
      whole ? std::vector<int>{} : find_loud_ranks(cases);
  if (loud.empty()) {
    return whole;
  }
  auto firm = classify_ranks(without_ranks(cases, loud), interface_precision);
  if (firm) {
    judge_loud_ranks(cases, loud, *firm);
  }
  return firm;
}

}  // namespace grader
