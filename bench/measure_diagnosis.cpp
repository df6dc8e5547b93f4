// SPDX-License-Identifier: MIT
// How long the diagnosis of one submission takes once its cases are evaluated,
// and what the predictions of a run cost.
//
//   measure_diagnosis FIXTURES
//
// Every task, its public cases and a twin of each, as `grade` has them. Played
// are every right form, every single fault and every 40th pair, all with their
// weights in float64: the first round makes the predictions, the second is what
// later submissions of the same run wait for. Times are wall-clock
// milliseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/hypotheses.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/fixture/task.hpp"

namespace {

using grader::Case;
using grader::DType;
using grader::Formula;
using grader::Observations;
using grader::PreparedCase;

using Milliseconds = std::chrono::duration<double, std::milli>;

struct Played {
  std::vector<Observations> right;
  std::vector<Observations> singles;
  std::vector<Observations> pairs;
};

std::vector<Case> cases_with_twins(const grader::Task& task) {
  std::vector<Case> cases = grader::read_cases(task);
  const std::size_t count = cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    cases.push_back(grader::make_twin(cases[i], 1000 * (i + 1)));
  }
  return cases;
}

Played play(const std::vector<PreparedCase>& prepared) {
  constexpr std::size_t step = 40;
  const Case& first = *prepared.front().test_case;
  const grader::HypothesisSet& hypotheses =
      grader::hypotheses_of(first.kind, first.mask_mode);
  Played played;
  for (const Formula& form : hypotheses.correct_forms) {
    played.right.push_back(grader::pretend(form, prepared));
  }
  for (const grader::Hypothesis& single : hypotheses.singles) {
    played.singles.push_back(grader::pretend(single.formula, prepared));
  }
  for (std::size_t i = 0; i < hypotheses.doubles.size(); i += step) {
    played.pairs.push_back(
        grader::pretend(hypotheses.doubles[i].formula, prepared));
  }
  return played;
}

std::vector<double> time_all(const std::vector<Observations>& submissions,
                             const std::vector<PreparedCase>& prepared) {
  std::vector<double> times;
  for (const Observations& one : submissions) {
    const auto start = std::chrono::steady_clock::now();
    grader::diagnose(one, prepared, DType::float64);
    times.push_back(
        Milliseconds(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

double sum(const std::vector<double>& times) {
  double total = 0.0;
  for (const double time : times) {
    total += time;
  }
  return total;
}

double at(const std::vector<double>& times, double share) {
  const auto last = static_cast<double>(times.size() - 1);
  return times[static_cast<std::size_t>(share * last)];
}

double megabytes(const std::vector<PreparedCase>& prepared) {
  std::size_t bytes = 0;
  for (const PreparedCase& one : prepared) {
    bytes += one.predictions->bytes();
  }
  return static_cast<double>(bytes) / 1e6;
}

void measure(const grader::Task& task) {
  const std::vector<Case> cases = cases_with_twins(task);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<PreparedCase> prepared = grader::prepare_cases(cases);
  const double preparing =
      Milliseconds(std::chrono::steady_clock::now() - start).count();
  const Played played = play(prepared);
  const double first = sum(time_all(played.right, prepared)) +
                       sum(time_all(played.singles, prepared)) +
                       sum(time_all(played.pairs, prepared));
  const std::vector<double> right = time_all(played.right, prepared);
  const std::vector<double> singles = time_all(played.singles, prepared);
  const std::vector<double> pairs = time_all(played.pairs, prepared);
  const double again = sum(right) + sum(singles) + sum(pairs);
  std::printf("%-31s %5zu %8.2f %8.2f %8.2f %8.2f %8.2f %9.0f %7.1f\n",
              task.name.c_str(), cases.size(), at(right, 0.5), at(singles, 0.5),
              at(singles, 0.95), at(pairs, 0.5), at(pairs, 0.95),
              preparing + first - again, megabytes(prepared));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: measure_diagnosis FIXTURES\n");
    return 2;
  }
  std::printf("%-31s %5s %8s %8s %8s %8s %8s %9s %7s\n", "task", "cases",
              "right", "single", "95 %", "pair", "95 %", "predicting", "MB");
  for (const grader::Task& task : grader::read_tasks(argv[1])) {
    measure(task);
  }
  return 0;
}
