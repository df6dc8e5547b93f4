// SPDX-License-Identifier: MIT
#include "grader/diagnosis/separation.hpp"

#include <algorithm>

#include "grader/comparison/compare.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {
namespace {

struct Named {
  std::string id;
  Prediction prediction;
};

std::vector<Named> predictions_of(const std::string& id, const Case& test_case,
                                  const FormulaInputs& inputs) {
  std::vector<Named> result;
  const auto add = [&](const Formula& formula) {
    if (applies(formula, test_case) && has_axis(formula.scale, test_case)) {
      result.push_back({id, predict(formula, inputs, DType::float64)});
    }
  };
  if (id == "correct") {
    add(Formula{});
  }
  for (const Hypothesis& hypothesis : single_faults()) {
    if (hypothesis.faults.front() == id) {
      add(hypothesis.formula);
    }
  }
  return result;
}

// Far enough for a float32 answer, four tolerances and more.
bool apart(const Prediction& a, const Prediction& b, const Case& test_case) {
  if (!a.loud.empty() || !b.loud.empty()) {
    return a.loud.empty() != b.loud.empty();
  }
  const IgnoredRows ignored = rows_without_keys(test_case);
  const Tolerance tolerance = derive_tolerance(measure_error_scale(test_case),
                                               unit_roundoff(DType::float32));
  return max_error(a.weights, b.weights, ignored.weights) >
             8.0 * tolerance.weights ||
         max_error(a.output, b.output, ignored.output) > 8.0 * tolerance.output;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> inseparable(
    const Case& test_case) {
  const FormulaInputs inputs = make_inputs(test_case);
  std::vector<Named> all;
  for (const std::string& id : test_case.separates) {
    for (Named& named : predictions_of(id, test_case, inputs)) {
      all.push_back(std::move(named));
    }
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (all[i].id != all[j].id &&
          !apart(all[i].prediction, all[j].prediction, test_case)) {
        pairs.emplace_back(all[i].id, all[j].id);
      }
    }
  }
  return pairs;
}

}  // namespace grader
