// SPDX-License-Identifier: MIT
#include "grader/diagnosis/separation.hpp"

#include <algorithm>

#include "grader/comparison/compare.hpp"
#include "grader/diagnosis/hypotheses.hpp"
#include "grader/diagnosis/prediction.hpp"

namespace grader {
namespace {

// What the variants of one id say.
struct Family {
  std::string id;
  std::vector<Prediction> variants;
};

Family family_of(const std::string& id, const FormulaInputs& inputs) {
  const Case& test_case = *inputs.test_case;
  Family family{id, {}};
  const auto add = [&](const Formula& formula) {
    if (applies(formula, test_case) && has_axis(formula.scale, test_case)) {
      family.variants.push_back(predict(formula, inputs, DType::float64));
    }
  };
  if (id == "correct") {
    add(Formula{});
  }
  for (const Hypothesis& hypothesis :
       hypotheses_of(test_case.kind, test_case.mask_mode).singles) {
    if (hypothesis.faults.front() == id) {
      add(hypothesis.formula);
    }
  }
  return family;
}

// Far enough for a float32 answer, four tolerances and more.
bool apart(const Prediction& a, const Prediction& b, const Case& test_case) {
  if (!a.loud.empty() || !b.loud.empty()) {
    return a.loud.empty() != b.loud.empty();
  }
  const IgnoredRows ignored = rows_without_keys(test_case);
  const Tolerance tolerance = derive_tolerance(measure_error_scale(test_case),
                                               unit_roundoff(DType::float32));
  if (a.weights_misfit != b.weights_misfit) {
    return true;
  }
  return (!a.weights_misfit &&
          max_error(a.weights, b.weights, ignored.weights) >
              8.0 * tolerance.weights) ||
         max_error(a.output, b.output, ignored.output) > 8.0 * tolerance.output;
}

bool are_apart(const Family& a, const Family& b, const Case& test_case) {
  return std::ranges::any_of(a.variants, [&](const Prediction& first) {
    return std::ranges::any_of(b.variants, [&](const Prediction& second) {
      return apart(first, second, test_case);
    });
  });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> inseparable(
    const Case& test_case) {
  const FormulaInputs inputs = make_inputs(test_case);
  std::vector<Family> families;
  families.reserve(test_case.separates.size());
  for (const std::string& id : test_case.separates) {
    families.push_back(family_of(id, inputs));
  }
  std::erase_if(families,
                [](const Family& one) { return one.variants.empty(); });
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < families.size(); ++i) {
    for (std::size_t j = i + 1; j < families.size(); ++j) {
      if (!are_apart(families[i], families[j], test_case)) {
        pairs.emplace_back(families[i].id, families[j].id);
      }
    }
  }
  return pairs;
}

}  // namespace grader
