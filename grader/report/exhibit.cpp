// SPDX-License-Identifier: MIT
#include "grader/report/exhibit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

#include "grader/example/snippet.hpp"

namespace grader {
namespace {

using reference::Tensor;

constexpr std::int64_t widest_row = 12;

double row_error(const Tensor& actual, const Tensor& expected,
                 std::size_t row) {
  const auto width = static_cast<std::size_t>(expected.size(-1));
  double worst = 0.0;
  for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
    const double error = std::abs(actual.data[i] - expected.data[i]);
    if (!std::isfinite(error)) {
      return std::numeric_limits<double>::infinity();
    }
    worst = std::max(worst, error);
  }
  return worst;
}

std::size_t worst_row(const Tensor& actual, const Tensor& expected) {
  const auto rows =
      expected.data.size() / static_cast<std::size_t>(expected.size(-1));
  std::size_t worst = 0;
  double error = -1.0;
  for (std::size_t row = 0; row < rows; ++row) {
    const double one = row_error(actual, expected, row);
    if (one > error) {
      error = one;
      worst = row;
    }
  }
  return worst;
}

// How the weights differ, in words.
std::string compare_rows(const std::vector<double>& expected,
                         const std::vector<double>& actual) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(actual, finite)) {
    return "not a number";
  }
  double sum = 0.0;
  for (const double value : actual) {
    sum += value;
  }
  if (std::abs(sum - 1.0) > 1e-6) {
    std::ostringstream text;
    text.precision(3);
    text << "the row sums to " << sum << ", not to 1";
    return text.str();
  }
  const double peak = std::ranges::max(actual);
  const double right_peak = std::ranges::max(expected);
  if (peak < right_peak) {
    return "flatter than it should be: pulled towards 1/" +
           std::to_string(actual.size());
  }
  return "more peaked than it should be";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

struct Choice {
  const CaseObservation* observation = nullptr;
  int number = 0;
};

bool is_small(const Case& test_case) {
  return test_case.dimensions.m <= widest_row;
}

// The first public case that failed with numbers; one whose rows fit a line is
// better than one whose rows do not.
Choice choose(const Observations& observations, const Record& record) {
  Choice choice;
  for (std::size_t i = 0; i < record.cases.size(); ++i) {
    const CaseResult& result = record.cases[i];
    const CaseObservation& observation = observations.cases[i];
    const bool shows = result.is_public && !result.passed && result.max_error &&
                       !result.excluded;
    const bool better = choice.observation == nullptr ||
                        (!is_small(*choice.observation->test_case) &&
                         is_small(*observation.test_case));
    if (shows && better) {
      choice = {&observation, static_cast<int>(i) + 1};
    }
  }
  return choice;
}

// What was recovered from a wrong output shows nothing where the weights are
// right and what is done with them is not.
bool are_weights_to_blame(const CaseObservation& observation,
                          const Record& record) {
  if (observation.weights_source == WeightsSource::returned) {
    return true;
  }
  const auto is_right = [&](const char* stage) {
    return std::ranges::find(record.evidence.right, stage) !=
           record.evidence.right.end();
  };
  return !is_right("product of queries and keys") || !is_right("scale") ||
         !is_right("softmax over the keys");
}

bool shows_weights(const CaseObservation& observation, const Record& record) {
  return are_weights_to_blame(observation, record) && observation.weights &&
         observation.weights->shape ==
             observation.test_case->expected.weights.shape &&
         row_error(*observation.weights,
                   observation.test_case->expected.weights,
                   worst_row(*observation.weights,
                             observation.test_case->expected.weights)) > 1e-9;
}

}  // namespace

std::optional<Exhibit> make_exhibit(const Observations& observations,
                                    const Match& match, const Record& record) {
  const Choice choice = choose(observations, record);
  if (record.verdict == Verdict::correct || choice.observation == nullptr) {
    return std::nullopt;
  }
  const CaseObservation& observation = *choice.observation;
  const Case& test_case = *observation.test_case;
  const bool weights = shows_weights(observation, record);
  if (!weights && !observation.output) {
    return std::nullopt;
  }
  const Tensor& expected =
      weights ? test_case.expected.weights : test_case.expected.output;
  const Tensor& actual = weights ? *observation.weights : *observation.output;
  const std::size_t row = worst_row(actual, expected);
  Exhibit exhibit;
  exhibit.case_name = test_case.name;
  exhibit.case_number = choice.number;
  exhibit.case_count = static_cast<int>(record.cases.size());
  exhibit.what = weights ? "weights" : "output";
  exhibit.where = "d_k = " + std::to_string(test_case.dimensions.d_k) + ", " +
                  exhibit.what + row_index(expected.shape, row);
  exhibit.expected = row_of(expected, row);
  exhibit.actual = row_of(actual, row);
  exhibit.comment =
      weights ? compare_rows(exhibit.expected, exhibit.actual) : "";
  exhibit.numpy = lines_of(numpy_recipe(test_case));
  std::vector<std::string> call = call_on_arrays(test_case, match);
  if (call.empty()) {
    call = {"# make " + match.callable.name +
            ", give it the weights and x: see Parameters, --verbose"};
  }
  std::ranges::move(call, std::back_inserter(exhibit.numpy));
  return exhibit;
}

}  // namespace grader
