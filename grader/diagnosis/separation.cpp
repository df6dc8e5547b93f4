// SPDX-License-Identifier: MIT
#include "grader/diagnosis/separation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "grader/comparison/compare.hpp"
#include "grader/diagnosis/hypotheses.hpp"
#include "grader/diagnosis/prediction.hpp"

namespace grader {
namespace {

// Its output follows from its weights as the right one does, and is silent.
bool has_usual_output(const Formula& formula) {
  Formula usual = formula;
  const Formula right;
  usual.query = right.query;
  usual.key = right.key;
  usual.queries_of = right.queries_of;
  usual.keys_of = right.keys_of;
  usual.product = right.product;
  usual.scale = right.scale;
  usual.mask = right.mask;
  usual.fill_form = right.fill_form;
  usual.fill = right.fill;
  usual.softmax = right.softmax;
  usual.shift = right.shift;
  usual.weight_factor = right.weight_factor;
  return usual == right;
}

// One formula of an id. The output costs as much as the weights, which mostly
// suffice.
class Predicted {
 public:
  Predicted(const Formula& formula, const FormulaInputs& inputs)
      : formula_(formula), inputs_(&inputs) {}

  // Without the output where that is bound to be silent.
  const Prediction& weights() {
    if (!prediction_) {
      prediction_ = predict_weights(formula_, *inputs_, DType::float64);
      if (!has_usual_output(formula_) || prediction_->weights_misfit) {
        add_output();
      }
    }
    return *prediction_;
  }

  const Prediction& whole() {
    weights();
    add_output();
    return *prediction_;
  }

 private:
  void add_output() {
    if (has_output_ || !prediction_->loud.empty()) {
      return;
    }
    PredictedOutput output =
        predict_output(formula_, *inputs_, prediction_->weights);
    prediction_->loud = std::move(output.loud);
    prediction_->output = std::move(output.output);
    has_output_ = true;
  }

  Formula formula_;
  const FormulaInputs* inputs_;
  std::optional<Prediction> prediction_;
  bool has_output_ = false;
};

// What the variants of one id say, calculated when asked for: the first two
// that are compared mostly lie apart.
struct Family {
  std::string id;
  std::vector<Predicted> variants;
};

Family family_of(const std::string& id, const FormulaInputs& inputs) {
  const Case& test_case = *inputs.test_case;
  Family family{id, {}};
  const auto add = [&](const Formula& formula) {
    if (applies(formula, test_case) && has_axis(formula.scale, test_case)) {
      family.variants.emplace_back(formula, inputs);
    }
  };
  if (id == "correct") {
    add(Formula{});
  }
  for (const Hypothesis& hypothesis : hypotheses_of(test_case).singles) {
    if (hypothesis.faults.front() == id) {
      add(hypothesis.formula);
    }
  }
  return family;
}

// How far apart answers to a case have to be.
struct Distance {
  IgnoredRows ignored;
  double weights = 0.0;
  double output = 0.0;
};

// Far enough for a float32 answer, four tolerances and more.
Distance distance_of(const Case& test_case) {
  const Tolerance tolerance = derive_tolerance(measure_error_scale(test_case),
                                               unit_roundoff(DType::float32));
  return {.ignored = rows_without_keys(test_case),
          .weights = 8.0 * tolerance.weights,
          .output = 8.0 * tolerance.output};
}

bool apart(Predicted& a, Predicted& b, const Distance& distance) {
  const Prediction& first = a.weights();
  const Prediction& second = b.weights();
  if (!first.loud.empty() || !second.loud.empty()) {
    return first.loud.empty() != second.loud.empty();
  }
  if (first.weights_misfit != second.weights_misfit) {
    return true;
  }
  return (!first.weights_misfit &&
          max_error(first.weights, second.weights, distance.ignored.weights) >
              distance.weights) ||
         max_error(a.whole().output, b.whole().output,
                   distance.ignored.output) > distance.output;
}

bool are_apart(Family& a, Family& b, const Distance& distance) {
  return std::ranges::any_of(a.variants, [&](Predicted& first) {
    return std::ranges::any_of(b.variants, [&](Predicted& second) {
      return apart(first, second, distance);
    });
  });
}

// The factor of the scores where the id is a scale and nothing else.
std::optional<double> factor_of(const std::string& id, const Case& test_case) {
  if (id == "correct") {
    return scale_factor(scales::by_sqrt_dk, test_case.dimensions);
  }
  for (const Hypothesis& hypothesis : hypotheses_of(test_case).singles) {
    const Formula scaled{.scale = hypothesis.formula.scale};
    if (hypothesis.faults.front() == id && hypothesis.formula == scaled) {
      return scale_factor(scaled.scale, test_case.dimensions);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> inseparable(
    const Case& test_case) {
  const FormulaInputs inputs = make_inputs(test_case);
  const Distance distance = distance_of(test_case);
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
      if (!are_apart(families[i], families[j], distance)) {
        pairs.emplace_back(families[i].id, families[j].id);
      }
    }
  }
  return pairs;
}

void forget_equal_scales(Case& test_case) {
  constexpr double same = 1e-9;
  std::vector<double> met;
  std::erase_if(test_case.separates, [&](const std::string& id) {
    const auto factor = factor_of(id, test_case);
    const bool is_met =
        factor && std::ranges::any_of(met, [&](double other) {
          return std::abs(*factor - other) <= same * std::abs(other);
        });
    if (factor && !is_met) {
      met.push_back(*factor);
    }
    return is_met;
  });
}

}  // namespace grader
