// SPDX-License-Identifier: MIT
#include "grader/lesson/fault_portrait.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/hypotheses.hpp"
#include "grader/diagnosis/prediction.hpp"
#include "grader/example/small_inputs.hpp"
#include "grader/example/smallest_example.hpp"
#include "grader/example/snippet.hpp"

namespace grader {
namespace {

using reference::Tensor;

// Seen at a glance.
constexpr double clear = 0.01;

const Formula* formula_of(const std::string& id, Kind kind, MaskMode mode) {
  for (const Hypothesis& single : hypotheses_of(kind, mode).singles) {
    if (single.faults == FaultSet{id}) {
      return &single.formula;
    }
  }
  return nullptr;
}

std::vector<Case> inputs_of(Kind kind, MaskMode mode) {
  std::vector<Case> inputs;
  for (const int rank : {2, 3, 4}) {
    if (kind != Kind::attention && rank == 4) {
      continue;
    }
    for (Case& input : small_inputs(kind, mode, rank)) {
      inputs.push_back(std::move(input));
    }
  }
  return inputs;
}

// The first entry that differs clearly, or nothing. NaN differs.
std::optional<std::size_t> first_difference(const Tensor& a, const Tensor& b) {
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    if (!(std::abs(a.data[i] - b.data[i]) <= clear)) {
      return i;
    }
  }
  return std::nullopt;
}

Tensor matrix_of(const Tensor& tensor, std::size_t number) {
  const std::int64_t rows = tensor.size(-2);
  const std::int64_t columns = tensor.size(-1);
  const auto size = static_cast<std::size_t>(rows * columns);
  const auto begin =
      tensor.data.begin() + static_cast<std::ptrdiff_t>(number * size);
  return Tensor(
      {rows, columns},
      std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size)));
}

bool sums_to_one(const Tensor& weights) {
  const auto m = static_cast<std::size_t>(weights.size(-1));
  for (std::size_t begin = 0; begin < weights.data.size(); begin += m) {
    double sum = 0.0;
    for (std::size_t i = begin; i < begin + m; ++i) {
      sum += weights.data[i];
    }
    if (!(std::abs(sum - 1.0) < 1e-9)) {
      return false;
    }
  }
  return true;
}

std::string name_of_task(Kind kind, MaskMode mode) {
  const std::string prefix = mode == MaskMode::masked   ? "masked_"
                             : mode == MaskMode::causal ? "causal_"
                                                        : "";
  return prefix + to_string(kind);
}

std::string sizes_text(const Case& input) {
  std::string text;
  for (const NamedTensor& argument : input.arguments) {
    text += (text.empty() ? "" : ", ") + argument.name + " " +
            reference::to_string(argument.tensor.shape);
  }
  return text;
}

std::string shape_tests(const Case& input, const Prediction& prediction,
                        const std::string& loud) {
  std::string text = "On this input the weights have the right shape, " +
                     reference::to_string(prediction.weights.shape) + ", and " +
                     (sums_to_one(prediction.weights)
                          ? "every row sums to 1: tests of both pass."
                          : "a test of shapes passes; one that looks whether "
                            "every row sums to 1 does not.");
  if (prediction.weights.shape != input.expected.weights.shape) {
    text =
        "The weights have another shape here, the output has the right "
        "one: a test of the output's shape passes.";
  }
  return loud.empty() ? text : text + " " + loud;
}

struct Answer {
  Prediction prediction;
  bool is_weights = false;  // where it differs clearly from the right one
  std::size_t place = 0;    // the first number that does
};

// Nothing where the fault is loud or does not show.
std::optional<Answer> answer_on(const Case& input, const Formula& formula) {
  Answer answer{predict(formula, make_inputs(input), DType::float64)};
  const Prediction& found = answer.prediction;
  if (!found.loud.empty()) {
    return std::nullopt;
  }
  if (!found.weights_misfit &&
      found.weights.shape == input.expected.weights.shape) {
    if (const auto place =
            first_difference(found.weights, input.expected.weights)) {
      answer.is_weights = true;
      answer.place = *place;
      return answer;
    }
  }
  const auto place = first_difference(found.output, input.expected.output);
  answer.place = place.value_or(0);
  return place ? std::optional(answer) : std::nullopt;
}

bool are_alike(const Tensor& a, const Tensor& b) {
  return a.shape == b.shape && !first_difference(a, b);
}

bool gives(const Hypothesis& other, const FormulaInputs& inputs,
           const Prediction& numbers) {
  if (!applies(other.formula, *inputs.test_case)) {
    return false;
  }
  const Prediction found = predict(other.formula, inputs, DType::float64);
  return found.loud.empty() && are_alike(found.weights, numbers.weights) &&
         are_alike(found.output, numbers.output);
}

// Whether one of the faults that are listed before it, which are commoner,
// gives what cannot be told from these numbers.
bool looks_commoner(const Case& input, const std::string& id,
                    const Prediction& numbers) {
  const FormulaInputs inputs = make_inputs(input);
  for (const Hypothesis& other :
       hypotheses_of(input.kind, input.mask_mode).singles) {
    if (other.faults == FaultSet{id}) {
      return false;
    }
    if (std::ranges::count(other.equivalents, FaultSet{id}) == 0 &&
        gives(other, inputs, numbers)) {
      return true;
    }
  }
  return false;
}

FaultPortrait portrait_of(const Case& input, const Answer& answer,
                          const std::string& loud) {
  const Prediction& found = answer.prediction;
  const Tensor& right =
      answer.is_weights ? input.expected.weights : input.expected.output;
  const std::size_t row =
      answer.place / static_cast<std::size_t>(right.size(-1));
  const std::size_t matrix = row / static_cast<std::size_t>(right.size(-2));
  const reference::Shape matrices(right.shape.begin(), right.shape.end() - 1);
  FaultPortrait portrait;
  portrait.input = input;
  portrait.what = answer.is_weights ? "weights" : "output";
  portrait.where = right.rank() == 2 ? "" : row_index(matrices, matrix);
  portrait.right = matrix_of(right, matrix);
  portrait.faulty =
      matrix_of(answer.is_weights ? found.weights : found.output, matrix);
  portrait.shape_tests = shape_tests(input, found, loud);
  Match match;
  match.callable.name = name_of_task(input.kind, input.mask_mode);
  portrait.python = python_lines(input, match);
  return portrait;
}

// Where numpy refuses it, one of the inputs.
std::string loud_text(const std::vector<Case>& inputs, const Formula& formula) {
  for (const Case& input : inputs) {
    if (!applies(formula, input)) {
      continue;
    }
    const Prediction found =
        predict_weights(formula, make_inputs(input), DType::float64);
    if (!found.loud.empty()) {
      return "Other sizes give it away: with " + sizes_text(input) + ", " +
             found.loud + ".";
    }
  }
  return "";
}

// On the first input where it shows and no commoner fault looks the same; where
// there is none, on the first where it shows.
std::optional<FaultPortrait> portray_in(const std::string& id, Kind kind,
                                        MaskMode mode) {
  const Formula* formula = formula_of(id, kind, mode);
  if (formula == nullptr) {
    return std::nullopt;
  }
  const std::vector<Case> inputs = inputs_of(kind, mode);
  const std::string loud = loud_text(inputs, *formula);
  std::optional<FaultPortrait> second_best;
  for (const Case& input : inputs) {
    const auto answer =
        applies(*formula, input) ? answer_on(input, *formula) : std::nullopt;
    if (answer && !looks_commoner(input, id, answer->prediction)) {
      return portrait_of(input, *answer, loud);
    }
    if (answer && !second_best) {
      second_best = portrait_of(input, *answer, loud);
    }
  }
  return second_best;
}

}  // namespace

std::optional<FaultPortrait> portray(const std::string& id) {
  for (const Kind kind :
       {Kind::attention, Kind::multi_head_attention,
        Kind::grouped_query_attention, Kind::self_attention}) {
    for (const MaskMode mode :
         {MaskMode::none, MaskMode::masked, MaskMode::causal}) {
      if (auto portrait = portray_in(id, kind, mode)) {
        return portrait;
      }
    }
  }
  return std::nullopt;
}

}  // namespace grader
