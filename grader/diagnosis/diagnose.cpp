// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/diagnosis/classify.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/mishap.hpp"
#include "grader/diagnosis/scale_law.hpp"
#include "grader/diagnosis/wording.hpp"

namespace grader {
namespace {

const Evidenced* find_raised(const std::vector<Evidenced>& cases) {
  const auto found = std::ranges::find_if(cases, [](const Evidenced& one) {
    return std::holds_alternative<Raised>(one.observation->outcome);
  });
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

void set_raised(const Evidenced& evidenced, Diagnosis& diagnosis) {
  set_mishap(*judge_outcome(evidenced.observation->outcome,
                            "call " + evidenced.test_case().name),
             diagnosis);
}

// Wrong, and no hypothesis says how.
void set_unexplained(const std::vector<Evidenced>& cases,
                     Diagnosis& diagnosis) {
  if (const Evidenced* raised = find_raised(cases)) {
    set_raised(*raised, diagnosis);
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

double penalty(const std::string& fault, bool is_conditional) {
  const Fault* entry = find_fault(fault);
  const Severity severity =
      entry == nullptr ? Severity::structural : entry->severity;
  switch (severity) {
    case Severity::structural:
      return is_conditional ? 0.25 : 0.5;
    case Severity::conditional:
      return 0.25;
    case Severity::robustness:
      return 0.1;
    case Severity::note:
      break;
  }
  return 0.0;
}

// A fault that does not show in some supported rank is a conditional one.
bool spares_a_rank(const std::string& fault,
                   const std::map<int, FaultSet>& faults_by_rank) {
  return std::ranges::any_of(faults_by_rank, [&](const auto& entry) {
    return std::ranges::find(entry.second, fault) == entry.second.end();
  });
}

double score_of(const Classification& classification) {
  double score = 1.0;
  for (const std::string& fault : classification.faults) {
    score -=
        penalty(fault, spares_a_rank(fault, classification.faults_by_rank));
  }
  return std::max(0.0, score);
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
  diagnosis.score = score_of(classification);
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

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string outcome_detail(const CaseObservation& observation) {
  if (const auto* raised = std::get_if<Raised>(&observation.outcome)) {
    return first_line(raised->type + ": " + raised->message);
  }
  return observation.shape_problem;
}

CaseResult case_result(const Evidenced& evidenced, const Formula& accepted,
                       DType precision) {
  const CaseObservation& observation = *evidenced.observation;
  CaseResult result;
  result.name = evidenced.test_case().name;
  result.rank = evidenced.test_case().rank;
  result.is_public = evidenced.test_case().is_public;
  result.outcome = outcome_name(observation.outcome);
  result.detail = outcome_detail(observation);
  if (!is_silent(observation)) {
    return result;
  }
  const CaseFit fit = fit_case(accepted, evidenced, precision);
  result.max_error = fit.error;
  result.tolerance = fit.limit;
  result.passed = fit.ratio <= 1.0;
  if (!is_informative(*evidenced.prepared, unit_roundoff(precision))) {
    result.excluded = "says nothing at this precision";
  }
  return result;
}

// Every case against the right answer, in the order they were run.
void list_cases(const Observations& observations,
                const std::vector<PreparedCase>& prepared,
                const std::optional<Classification>& classification,
                Diagnosis& diagnosis) {
  const bool correct = classification && classification->is_correct;
  const Formula accepted =
      correct ? classification->explanation.formula : Formula{};
  const DType precision =
      classification ? classification->precision : DType::float64;
  for (const CaseObservation& observation : observations.cases) {
    const auto found = std::ranges::find(prepared, observation.test_case,
                                         &PreparedCase::test_case);
    CaseResult result =
        case_result({&*found, &observation}, accepted, precision);
    const bool supported = std::ranges::find(diagnosis.ranks, result.rank) !=
                           diagnosis.ranks.end();
    if (!supported && !diagnosis.ranks.empty()) {
      result.excluded = "this rank is declined";
    }
    diagnosis.cases.push_back(std::move(result));
  }
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

std::vector<const CaseBasis*> bases_of(
    const std::vector<PreparedCase>& prepared) {
  std::vector<const CaseBasis*> bases;
  for (const PreparedCase& one : prepared) {
    bases.push_back(&one.basis);
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
  evidence.properties = check_properties(observations, bases_of(prepared),
                                         unit_roundoff(precision));
  evidence.scale_law = sparsest_law(all, precision);
  if (!evidence.scale_law && classification) {
    evidence.scale_law =
        sparsest_law(first_faulty_rank(ranked, *classification), precision);
  }
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
  const RankedCases ranked = split_ranks(observations, prepared);
  for (const auto& [rank, cases] : ranked.supported) {
    diagnosis.ranks.push_back(rank);
  }
  if (const auto mishap = find_mishap(observations)) {
    set_mishap(*mishap, diagnosis);
  } else if (ranked.supported.empty()) {
    judge_silence(observations, prepared, diagnosis);
  } else {
    classification = classify(ranked, interface_precision);
    if (classification && classification->is_correct &&
        !is_repeatable(observations)) {
      classification.reset();
    }
    const DType precision =
        classification ? classification->precision : interface_precision;
    add_numeric_evidence(observations, prepared, ranked, classification,
                         precision, diagnosis);
    if (classification) {
      set_classified(*classification, prepared.front().test_case->mask_mode,
                     diagnosis);
    } else {
      set_unexplained(ranked.all(), diagnosis);
    }
  }
  add_notes(observations, ranked, diagnosis);
  list_cases(observations, prepared, classification, diagnosis);
  return diagnosis;
}

}  // namespace grader
