// SPDX-License-Identifier: MIT
#include "grader/conduct.hpp"

#include <algorithm>
#include <vector>

#include "grader/comparison/compare.hpp"
#include "grader/comparison/magnitude.hpp"

namespace grader {
namespace {

// Each costs a process.
constexpr std::size_t most_cases = 3;

bool is_worth_asking(const Diagnosis& diagnosis) {
  switch (diagnosis.verdict) {
    case Verdict::unclassified:
    case Verdict::bad_output:
      return true;
    case Verdict::crashed:  // by a limit, whatever it used before, or not
      return diagnosis.cause && diagnosis.cause->kind == "exception" &&
             diagnosis.cause->option.empty();
    case Verdict::faulty:
      // What the first call left behind looks like a constant, too.
      return std::ranges::count(diagnosis.faults, "scale-constant") > 0;
    case Verdict::correct:
    case Verdict::load_error:
    case Verdict::timed_out:
    case Verdict::out_of_memory:
    case Verdict::limit_exceeded:
    case Verdict::forbidden:
    case Verdict::rejected:
    case Verdict::not_graded:
      break;
  }
  return false;
}

// Of the supported ranks, those that failed before those that did not.
std::vector<const CaseObservation*> telling_cases(
    const Observations& observations, const Diagnosis& diagnosis) {
  std::vector<const CaseObservation*> failed;
  std::vector<const CaseObservation*> passed;
  for (std::size_t i = 0; i < observations.cases.size(); ++i) {
    const CaseResult& result = diagnosis.cases.at(i);
    if (!result.excluded) {
      (result.passed ? passed : failed).push_back(&observations.cases[i]);
    }
  }
  failed.insert(failed.end(), passed.begin(), passed.end());
  if (failed.size() > most_cases) {
    failed.erase(failed.begin() + most_cases, failed.end());
  }
  return failed;
}

bool same_numbers(const std::optional<reference::Tensor>& a,
                  const std::optional<reference::Tensor>& b) {
  // Threads and buffers may change the order of a sum, never a digit of weight.
  constexpr double close = 1e-12;
  if (!a || !b || a->shape != b->shape) {
    return a.has_value() == b.has_value();
  }
  return max_error(*a, *b) <= close * std::max(1.0, largest_finite(*b));
}

bool same_answer(const CaseObservation& a, const CaseObservation& b) {
  return a.outcome.index() == b.outcome.index() &&
         same_numbers(a.output, b.output) && same_numbers(a.weights, b.weights);
}

// The cases in a process of their own; nothing where it does not come so far.
std::optional<Observations> observe_afresh(const StartWorker& start,
                                           const Match& match,
                                           const std::vector<Case>& cases) {
  const std::unique_ptr<Worker> worker = start();
  const LoadOutcome loaded = worker->load();
  if (!std::holds_alternative<Description>(loaded.result)) {
    return std::nullopt;
  }
  return observe(*worker, match, cases);
}

struct FreshAnswer {
  bool is_right = false;
  bool repeats = true;       // the same call again gave the same numbers
  bool is_as_before = true;  // as in the run
};

std::optional<FreshAnswer> ask_afresh(const StartWorker& start,
                                      const Match& match,
                                      const CaseObservation& before,
                                      DType interface_precision) {
  const std::vector<Case> cases = {*before.test_case};
  auto observations = observe_afresh(start, match, cases);
  if (!observations ||
      !std::holds_alternative<Returned>(observations->cases.front().outcome)) {
    return std::nullopt;
  }
  FreshAnswer answer;
  answer.repeats = observations->same_answer_twice.value_or(true);
  answer.is_as_before = same_answer(before, observations->cases.front());
  // The first call is judged by itself.
  observations->same_answer_twice.reset();
  answer.is_right =
      diagnose(*observations, prepare_cases(cases), interface_precision)
          .verdict == Verdict::correct;
  return answer;
}

// Whether the same calls in the same order give the same answers.
bool replays(const StartWorker& start, const Match& match,
             const Observations& observations) {
  std::vector<Case> cases;
  cases.reserve(observations.cases.size());
  for (const CaseObservation& one : observations.cases) {
    cases.push_back(*one.test_case);
  }
  const auto again = observe_afresh(start, match, cases);
  return again &&
         std::ranges::equal(observations.cases, again->cases, same_answer);
}

bool has_right_answer(const CaseObservation& observation,
                      DType interface_precision) {
  const std::vector<Case> cases = {*observation.test_case};
  Observations one;
  one.cases.push_back(observation);
  CaseObservation& answer = one.cases.front();
  answer.test_case = &cases.front();
  if (answer.weights_source == WeightsSource::recovered) {
    answer.weights.reset();  // by other calls
    answer.weights_source = WeightsSource::not_recovered;
  }
  return std::holds_alternative<Returned>(answer.outcome) &&
         diagnose(one, prepare_cases(cases), interface_precision).verdict ==
             Verdict::correct;
}

// The first case with a right answer, and one that looks like it.
std::vector<Case> look_alikes(const Observations& observations,
                              const Diagnosis& diagnosis,
                              DType interface_precision) {
  for (std::size_t i = 0; i < observations.cases.size(); ++i) {
    const CaseResult& result = diagnosis.cases.at(i);
    if (result.answer_passed && !result.excluded) {
      const Case& first = *observations.cases[i].test_case;
      Case second = make_look_alike(first, first.seed + 1);
      if (interface_precision != DType::float64) {
        second = rounded_arguments(second, interface_precision);
        second.expected = evaluate_reference(second);
      }
      return {first, second};
    }
  }
  return {};
}

// "stateful" where an answer is right in a process of its own, and wrong after
// a call with other numbers of the same shapes.
std::optional<std::string> find_stale_answer(const StartWorker& start,
                                             const Match& match,
                                             const Observations& observations,
                                             const Diagnosis& diagnosis,
                                             DType interface_precision) {
  if (match.module) {
    return std::nullopt;
  }
  const std::vector<Case> cases =
      look_alikes(observations, diagnosis, interface_precision);
  if (cases.empty()) {
    return std::nullopt;
  }
  const auto right = [interface_precision](const CaseObservation& observation) {
    return has_right_answer(observation, interface_precision);
  };
  const std::vector<Case> second = {cases.back()};
  const auto in_turn = observe_afresh(start, match, cases);
  if (!in_turn || !right(in_turn->cases.front()) ||
      right(in_turn->cases.back())) {
    return std::nullopt;
  }
  const auto alone = observe_afresh(start, match, second);
  if (!alone || !right(alone->cases.front())) {
    return std::nullopt;
  }
  const auto again = observe_afresh(start, match, cases);
  return again && !right(again->cases.back())
             ? std::optional<std::string>("stateful")
             : std::nullopt;
}

// What a few cases show that are asked again.
std::optional<std::string> find_fault_of_cases(const StartWorker& start,
                                               const Match& match,
                                               const Observations& observations,
                                               const Diagnosis& diagnosis,
                                               DType interface_precision) {
  bool differs = false;
  for (const CaseObservation* before : telling_cases(observations, diagnosis)) {
    const auto answer = ask_afresh(start, match, *before, interface_precision);
    if (!answer) {
      return std::nullopt;
    }
    if (!answer->is_right) {
      return answer->repeats ? std::nullopt
                             : std::optional<std::string>("nondeterministic");
    }
    differs |= !answer->is_as_before;
  }
  // Right each time it is asked afresh: the run has shown something else, or
  // there is nothing to explain.
  if (!differs && observations.same_answer_twice.value_or(true)) {
    return std::nullopt;
  }
  return replays(start, match, observations) ? "stateful" : "nondeterministic";
}

}  // namespace

std::optional<std::string> find_conduct_fault(const StartWorker& start,
                                              const Match& match,
                                              const Observations& observations,
                                              const Diagnosis& diagnosis,
                                              DType interface_precision) {
  if (!is_worth_asking(diagnosis)) {
    return std::nullopt;
  }
  const auto found = find_fault_of_cases(start, match, observations, diagnosis,
                                         interface_precision);
  return found ? found
               : find_stale_answer(start, match, observations, diagnosis,
                                   interface_precision);
}

}  // namespace grader
