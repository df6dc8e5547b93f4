// SPDX-License-Identifier: MIT
#include "grader/conduct.hpp"

#include <algorithm>
#include <vector>

namespace grader {
namespace {

// Each costs a process.
constexpr std::size_t most_cases = 3;

bool is_worth_asking(const Diagnosis& diagnosis) {
  switch (diagnosis.verdict) {
    case Verdict::unclassified:
    case Verdict::bad_output:
      return true;
    case Verdict::crashed:
      return diagnosis.cause && diagnosis.cause->kind == "exception";
    case Verdict::correct:
    case Verdict::faulty:
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
std::vector<Case> telling_cases(const Observations& observations,
                                const Diagnosis& diagnosis) {
  std::vector<Case> failed;
  std::vector<Case> passed;
  for (std::size_t i = 0; i < observations.cases.size(); ++i) {
    const CaseResult& result = diagnosis.cases.at(i);
    if (!result.excluded) {
      (result.passed ? passed : failed)
          .push_back(*observations.cases[i].test_case);
    }
  }
  failed.insert(failed.end(), passed.begin(), passed.end());
  failed.resize(std::min(failed.size(), most_cases));
  return failed;
}

struct FreshAnswer {
  bool is_right = false;
  bool repeats = true;  // the same call again gave the same numbers
};

std::optional<FreshAnswer> ask_afresh(const StartWorker& start,
                                      const Match& match, const Case& test_case,
                                      DType interface_precision) {
  const std::unique_ptr<Worker> worker = start();
  const LoadOutcome loaded = worker->load();
  if (!std::holds_alternative<Description>(loaded.result)) {
    return std::nullopt;
  }
  const std::vector<Case> cases = {test_case};
  Observations observations = observe(*worker, match, cases);
  if (!std::holds_alternative<Returned>(observations.cases.front().outcome)) {
    return std::nullopt;
  }
  FreshAnswer answer;
  answer.repeats = observations.same_answer_twice.value_or(true);
  // The first call is judged by itself.
  observations.same_answer_twice.reset();
  answer.is_right =
      diagnose(observations, prepare_cases(cases), interface_precision)
          .verdict == Verdict::correct;
  return answer;
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
  const std::vector<Case> cases = telling_cases(observations, diagnosis);
  bool all_right = !cases.empty();
  for (const Case& test_case : cases) {
    const auto answer =
        ask_afresh(start, match, test_case, interface_precision);
    if (!answer) {
      return std::nullopt;
    }
    if (!answer->is_right && !answer->repeats) {
      return "nondeterministic";
    }
    all_right &= answer->is_right;
  }
  return all_right ? std::optional<std::string>("stateful") : std::nullopt;
}

}  // namespace grader
