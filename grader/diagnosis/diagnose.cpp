// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>

#include "grader/diagnosis/case_results.hpp"
#include "grader/diagnosis/classify.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/loud_ranks.hpp"
#include "grader/diagnosis/mishap.hpp"
#include "grader/diagnosis/scale_law.hpp"
#include "grader/diagnosis/score.hpp"
#include "grader/diagnosis/wording.hpp"

namespace grader {
namespace {

bool has_raised(const Evidenced& one) {
  return std::holds_alternative<Raised>(one.observation->outcome);
}

// What a function of another rank says: `B, n, C = x.shape`.
bool is_complaint_of_rank(const Raised& raised) {
  return raised.type == "ValueError" &&
         raised.message.find("values to unpack (expected") != std::string::npos;
}

// The first that is no mere complaint of the rank, if there is one.
const Evidenced* find_raised(const std::vector<Evidenced>& cases) {
  auto found = std::ranges::find_if(cases, [](const Evidenced& one) {
    return has_raised(one) &&
           !is_complaint_of_rank(std::get<Raised>(one.observation->outcome));
  });
  if (found == cases.end()) {
    found = std::ranges::find_if(cases, has_raised);
  }
  return found == cases.end() ? nullptr : &*found;
}

const Evidenced* find_misshapen(const std::vector<Evidenced>& cases) {
  const auto found = std::ranges::find_if(cases, [](const Evidenced& one) {
    return !one.observation->shape_problem.empty();
  });
  return found == cases.end() ? nullptr : &*found;
}

bool has_non_finite(const std::optional<reference::Tensor>& tensor,
                    const std::vector<std::uint8_t>& ignored) {
  if (!tensor) {
    return false;
  }
  const reference::Tensor zeros(tensor->shape);
  return std::isinf(max_error(*tensor, zeros, ignored));
}

const Evidenced* find_non_finite(const std::vector<Evidenced>& cases) {
  const auto found = std::ranges::find_if(cases, [](const Evidenced& one) {
    const IgnoredRows& ignored = one.prepared->basis.ignored;
    return has_non_finite(one.observation->output, ignored.output) ||
           has_non_finite(one.observation->weights, ignored.weights);
  });
  return found == cases.end() ? nullptr : &*found;
}

void set_mishap(const Mishap& mishap, Diagnosis& diagnosis) {
  diagnosis.verdict = mishap.verdict;
  diagnosis.cause = mishap.cause;
  diagnosis.summary = mishap.summary;
}

void set_bad_output(const Evidenced& evidenced, const std::string& kind,
                    const std::string& detail, Diagnosis& diagnosis) {
  diagnosis.verdict = Verdict::bad_output;
  diagnosis.cause = Cause{.kind = kind,
                          .detail = detail,
                          .phase = "call " + evidenced.test_case().name,
                          .limit = "",
                          .option = ""};
  diagnosis.summary = detail;
}

// How many of the cases raise says whether the function runs at all.
void set_raised(const Evidenced& first, const std::vector<Evidenced>& cases,
                Diagnosis& diagnosis) {
  set_mishap(*judge_outcome(first.observation->outcome,
                            "call " + first.test_case().name),
             diagnosis);
  const auto raised = std::ranges::count_if(cases, has_raised);
  if (raised < std::ssize(cases)) {
    diagnosis.summary += " (on " + std::to_string(raised) + " of " +
                         std::to_string(cases.size()) + " cases)";
  }
}

// Wrong, and no hypothesis says how.
void set_unexplained(const std::vector<Evidenced>& cases,
                     Diagnosis& diagnosis) {
  if (const Evidenced* raised = find_raised(cases)) {
    set_raised(*raised, cases, diagnosis);
  } else if (const Evidenced* misshapen = find_misshapen(cases)) {
    set_bad_output(*misshapen, "shape", misshapen->observation->shape_problem,
                   diagnosis);
  } else if (const Evidenced* odd = find_non_finite(cases)) {
    set_bad_output(*odd, "not-finite",
                   "NaN or infinity where the right answer is a number",
                   diagnosis);
  } else {
    diagnosis.verdict = Verdict::unclassified;
    diagnosis.certainty = "unexplained";
    diagnosis.evidence.stage = guess_stage(diagnosis.evidence.properties);
    diagnosis.summary = describe_unclassified(diagnosis.evidence);
    diagnosis.cause = Cause{.kind = "wrong-numbers",
                            .detail = diagnosis.summary,
                            .phase = "comparison",
                            .limit = "",
                            .option = ""};
  }
}

void set_classified(const Classification& classification, MaskMode mask_mode,
                    Diagnosis& diagnosis) {
  const Explanation& explanation = classification.explanation;
  diagnosis.verdict =
      classification.is_correct ? Verdict::correct : Verdict::faulty;
  diagnosis.faults = classification.faults;
  diagnosis.ties = classification.ties;
  diagnosis.faults_by_rank = classification.faults_by_rank;
  diagnosis.certainty = classification.certainty;
  diagnosis.notes = classification.notes;
  Evidence& evidence = diagnosis.evidence;
  evidence.params = classification.params;
  evidence.right = right_stages(explanation.formula, mask_mode);
  if (!classification.is_correct) {
    evidence.hypothesis_error = explanation.fit.worst.error;
    evidence.hypothesis_limit = explanation.fit.worst.limit;
  }
  if (explanation.runner_up && !classification.is_correct) {
    evidence.runner_up =
        RunnerUp{.faults = *explanation.runner_up,
                 .text = describe_faults(*explanation.runner_up),
                 .error = explanation.runner_up_error};
  }
  diagnosis.summary = describe_classification(classification);
}

std::string weights_source(const std::vector<Evidenced>& cases) {
  bool returned = false;
  bool recovered = false;
  for (const Evidenced& evidenced : cases) {
    const WeightsSource source = evidenced.observation->weights_source;
    returned |= source == WeightsSource::returned;
    recovered |= source == WeightsSource::recovered;
  }
  if (returned) {
    return "returned";
  }
  return recovered ? "recovered" : "not-recovered";
}

// The law is evidence where the scores alone explain the weights.
std::optional<ScaleLaw> sparsest_law(const std::vector<Evidenced>& cases,
                                     DType precision) {
  const auto laws = fit_scale_laws(measure_scale(cases, precision), precision);
  return laws.empty() ? std::nullopt : std::optional<ScaleLaw>(laws.front());
}

std::vector<Evidenced> first_faulty_rank(const RankedCases& ranked,
                                         const Classification& classification) {
  for (const auto& [rank, faults] : classification.faults_by_rank) {
    if (!faults.empty()) {
      return ranked.supported.at(rank);
    }
  }
  return ranked.all();
}

// Of the cases whose rank is supported.
std::vector<const CaseBasis*> bases_of(
    const std::vector<PreparedCase>& prepared, const RankedCases& ranked) {
  std::vector<const CaseBasis*> bases;
  bases.reserve(prepared.size());
  for (const PreparedCase& one : prepared) {
    bases.push_back(ranked.supported.contains(one.test_case->rank) ? &one.basis
                                                                   : nullptr);
  }
  return bases;
}

void add_numeric_evidence(const Observations& observations,
                          const std::vector<PreparedCase>& prepared,
                          const RankedCases& ranked,
                          const std::optional<Classification>& classification,
                          DType precision, Diagnosis& diagnosis) {
  const std::vector<Evidenced> all = ranked.all();
  Evidence& evidence = diagnosis.evidence;
  evidence.weights_source = weights_source(all);
  evidence.properties = check_properties(
      observations, bases_of(prepared, ranked), unit_roundoff(precision));
  evidence.scale_law = sparsest_law(all, precision);
  if (!evidence.scale_law && classification) {
    evidence.scale_law =
        sparsest_law(first_faulty_rank(ranked, *classification), precision);
  }
}

bool is_rounded_for_print(const CaseObservation& observation) {
  return observation.output_grid > 0.0 || observation.weights_grid > 0.0;
}

// Of the arrays that came back: their rounding is no broken property.
DType lowest_precision(const Observations& observations, DType precision) {
  for (const CaseObservation& observation : observations.cases) {
    if (is_rounded_for_print(observation) && !is_half(precision)) {
      precision = DType::float16;  // four digits
    }
    for (const DType returned :
         {observation.output_dtype, observation.weights_dtype}) {
      if (unit_roundoff(returned) > unit_roundoff(precision)) {
        precision = returned;
      }
    }
  }
  return precision;
}

// Right once is not right: the same call has to give the same answer.
bool is_repeatable(const Observations& observations) {
  return observations.same_answer_twice.value_or(true) &&
         observations.same_without_weights.value_or(true);
}

void add_notes(const Observations& observations, const RankedCases& ranked,
               Diagnosis& diagnosis) {
  if (!ranked.declined.empty() && !ranked.supported.empty()) {
    diagnosis.notes.emplace_back("rank-declined");
  }
  const bool mutated =
      std::ranges::any_of(observations.cases, &CaseObservation::input_mutated);
  if (mutated) {
    diagnosis.notes.emplace_back("input-mutated");
  }
  if (std::ranges::any_of(observations.cases, is_rounded_for_print)) {
    diagnosis.notes.emplace_back("rounded-output");
  }
}

// No rank gave a number: what the first call did is the verdict.
void judge_silence(const Observations& observations,
                   const std::vector<PreparedCase>& prepared,
                   Diagnosis& diagnosis) {
  std::vector<Evidenced> cases;
  for (const CaseObservation& observation : observations.cases) {
    const auto found = std::ranges::find(prepared, observation.test_case,
                                         &PreparedCase::test_case);
    cases.push_back({&*found, &observation});
  }
  set_unexplained(cases, diagnosis);
}

}  // namespace

Diagnosis diagnose(const Observations& observations,
                   const std::vector<PreparedCase>& prepared,
                   DType interface_precision) {
  Diagnosis diagnosis;
  std::optional<Classification> classification;
  RankedCases ranked = split_ranks(observations, prepared);
  if (const auto mishap = find_mishap(observations)) {
    set_mishap(*mishap, diagnosis);
    if (mishap->cause.kind == "exception") {
      ranked.declined.clear();  // no rank's doing
    }
  } else if (ranked.supported.empty()) {
    judge_silence(observations, prepared, diagnosis);
  } else {
    classification = classify(ranked, interface_precision);
    ranked = without_ranks(ranked, classification ? classification->declined
                                                  : find_loud_ranks(ranked));
    if (classification && classification->is_correct &&
        !is_repeatable(observations)) {
      classification.reset();
    }
    const DType precision = lowest_precision(
        observations,
        classification ? classification->precision : interface_precision);
    add_numeric_evidence(observations, prepared, ranked, classification,
                         precision, diagnosis);
    if (classification) {
      set_classified(*classification, prepared.front().test_case->mask_mode,
                     diagnosis);
    } else {
      diagnosis.evidence.bilinear = find_bilinear_form(ranked.all(), precision);
      set_unexplained(ranked.all(), diagnosis);
    }
  }
  for (const auto& entry : ranked.supported) {
    diagnosis.ranks.push_back(entry.first);
  }
  add_notes(observations, ranked, diagnosis);
  list_cases(observations, prepared, classification, interface_precision,
             diagnosis);
  set_score({}, diagnosis);
  return diagnosis;
}

}  // namespace grader
