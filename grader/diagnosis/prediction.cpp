// SPDX-License-Identifier: MIT
#include "grader/diagnosis/prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "grader/comparison/tolerance.hpp"
#include "grader/diagnosis/head_axes.hpp"
#include "grader/diagnosis/masking.hpp"
#include "grader/diagnosis/operands.hpp"
#include "grader/diagnosis/rounding.hpp"
#include "grader/diagnosis/softmax_variants.hpp"
#include "grader/fixture/argument.hpp"
#include "reference/mask.hpp"

namespace grader {
namespace {

using reference::Tensor;

constexpr std::array products = {
    Product::queries_keys,        Product::keys_all_axes,
    Product::keys_leading_axes,   Product::keys_first_axes,
    Product::keys_not_transposed, Product::keys_queries,
    Product::keys_reshaped,       Product::cosine,
    Product::cosine_queries,      Product::cosine_keys,
    Product::half_features,       Product::one_feature,
    Product::all_but_one,         Product::value_width,
    Product::multiple_of_two,     Product::multiple_of_four,
    Product::multiple_of_eight,   Product::multiple_of_sixteen,
    Product::at_most_eight,       Product::at_most_sixteen,
    Product::at_most_thirty_two};

RawScores try_product(Product product, const FormulaInputs& inputs) {
  try {
    return {.scores = multiply_operands(product, inputs.q, inputs.k,
                                        inputs.test_case->dimensions.d_v),
            .refused = ""};
  } catch (const std::invalid_argument& refused) {
    return {.scores = {}, .refused = refused.what()};
  }
}

// Marks the rows of a tensor, (..., n, x), in which `is_so` holds of a value.
template <typename Condition>
void mark_rows(const Tensor& tensor, Condition is_so,
               std::vector<std::uint8_t>& rows) {
  const auto width = static_cast<std::size_t>(tensor.size(-1));
  rows.resize(std::max(rows.size(), tensor.data.size() / width), 0);
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    if (is_so(tensor.data[i])) {
      rows[i / width] = 1;
    }
  }
}

void truncate(Tensor& tensor) {
  for (double& value : tensor.data) {
    value = std::trunc(value);
  }
}

// Where rounding may carry a value over an integer, nothing is known of it.
void truncate(Tensor& tensor, DType precision,
              std::vector<std::uint8_t>& unreliable_rows) {
  constexpr double roundings = 256.0;
  const double slack = roundings * unit_roundoff(precision);
  mark_rows(
      tensor,
      [slack](double value) {
        const double distance = std::abs(value - std::nearbyint(value));
        return distance != 0.0 && distance < slack * (1.0 + std::abs(value));
      },
      unreliable_rows);
  truncate(tensor);
}

void multiply(Tensor& tensor, double factor) {
  for (double& value : tensor.data) {
    value *= factor;
  }
}

double root_of_width(const Case& test_case) {
  return std::sqrt(static_cast<double>(test_case.dimensions.d_k));
}

// z / sum z, of positive z only with relu_divided, where the sum is much
// smaller than its terms or than the scores of the case: it is not known well.
void mark_cancelled_rows(const Tensor& scores, Softmax softmax,
                         double largest_score,
                         std::vector<std::uint8_t>& rows) {
  constexpr double growth = 8.0;
  const auto m = static_cast<std::size_t>(scores.size(-1));
  rows.resize(scores.data.size() / m, 0);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (std::size_t i = row * m; i < (row + 1) * m; ++i) {
      const double score = softmax == Softmax::relu_divided
                               ? std::max(scores.data[i], 0.0)
                               : scores.data[i];
      sum += score;
      magnitude += std::abs(score);
    }
    const double terms = std::max(magnitude, largest_score);
    rows[row] = terms > growth * std::abs(sum) ? 1 : rows[row];
  }
}

// Throws std::invalid_argument where numpy refuses.
Tensor raw_scores(const Formula& formula, const FormulaInputs& inputs) {
  const Case& test_case = *inputs.test_case;
  if (!has_right_queries_and_keys(formula)) {
    return multiply_operands(formula.product, make_queries(formula, test_case),
                             make_keys(formula, test_case),
                             test_case.dimensions.d_v);
  }
  const RawScores& raw = inputs.products.at(formula.product);
  if (!raw.refused.empty()) {
    throw std::invalid_argument(raw.refused);
  }
  return raw.scores;
}

// `range` bounds the exponentials, `rounding` is what intermediates are rounded
// to.
struct Arithmetic {
  DType range = DType::float64;
  DType rounding = DType::float64;
};

// The weights, after scale, mask and softmax. Throws std::invalid_argument
// where the mask does not fit the scores.
void evaluate_weights(const Formula& formula, const FormulaInputs& inputs,
                      const Arithmetic& arithmetic, Prediction& prediction) {
  const Case& test_case = *inputs.test_case;
  Tensor scores = rounded(raw_scores(formula, inputs), arithmetic.rounding);
  if (formula.storage == Storage::raw_scores) {
    truncate(scores, arithmetic.range, prediction.unreliable_rows);
  }
  const std::optional<reference::Mask> mask =
      make_mask(formula.mask, inputs.mask, test_case);
  prediction.score = scale_and_hide(
      scores, formula, scale_factor(formula.scale, test_case.dimensions), mask);
  scores = rounded(std::move(scores), arithmetic.rounding);
  if (formula.storage == Storage::scores) {
    truncate(scores, arithmetic.range, prediction.unreliable_rows);
  }
  if (mask && formula.softmax == Softmax::renormalised_mask) {
    prediction.unreliable_rows =
        rows_lost_to_underflow(scores, *mask, arithmetic.range);
  }
  if (mask && formula.fill_form == Fill::large_negative_added) {
    // 1e9 swallows scores of seven digits where no key is left.
    prediction.unreliable_rows =
        reference::empty_rows(*mask, scores.shape).data;
  }
  prediction.weights = apply_softmax(formula, scores, mask, arithmetic.range);
  hide_weights(prediction.weights, formula, mask);
  if (formula.weight_factor == WeightFactor::by_sqrt_dk) {
    multiply(prediction.weights, 1.0 / root_of_width(test_case));
  }
  prediction.weights =
      rounded(std::move(prediction.weights), arithmetic.rounding);
  if (formula.storage == Storage::weights) {
    truncate(prediction.weights, arithmetic.range, prediction.unreliable_rows);
  }
  if (formula.softmax == Softmax::missing_divided ||
      formula.softmax == Softmax::relu_divided) {
    mark_cancelled_rows(scores, formula.softmax, prediction.score,
                        prediction.unreliable_rows);
  }
}

// Every query gets the mean of the values, whatever its weights are.
Tensor uniform_weights(const reference::Shape& shape) {
  return Tensor(shape, 1.0 / static_cast<double>(shape.back()));
}

Tensor sum_values(const Formula& formula, const Tensor& weights,
                  const Tensor& values) {
  switch (formula.weighted_sum) {
    case WeightedSum::weights:
      break;
    case WeightedSum::weights_transposed:
      return reference::matmul(reference::swap_last_axes(weights), values);
    case WeightedSum::mean:
      return reference::matmul(uniform_weights(weights.shape), values);
    case WeightedSum::head_mean:
      return reference::matmul(
          weights.rank() < 3 ? weights : average_heads(weights), values);
  }
  return reference::matmul(weights, values);
}

const Tensor& input_of(const Case& test_case) {
  return test_case.arguments.front().tensor;
}

// Merge heads and project, where the kind does so.
Tensor project_output(const Formula& formula, const Case& test_case,
                      const Tensor& merged) {
  switch (formula.output) {
    case OutputForm::projected:
      break;
    case OutputForm::not_projected:
      return merged;
    case OutputForm::weight_transposed:
      return reference::matmul(
          merged, reference::swap_last_axes(argument(test_case, "w_o")));
    case OutputForm::value_weight:
      return reference::matmul(merged, argument(test_case, "w_v"));
  }
  return reference::matmul(merged, argument(test_case, "w_o"));
}

Tensor finish_output(const Formula& formula, const FormulaInputs& inputs,
                     const Tensor& context) {
  const Case& test_case = *inputs.test_case;
  const Tensor& x = input_of(test_case);
  const bool is_multi_head = test_case.kind == Kind::multi_head_attention;
  const auto merge_if_needed = [&](const Tensor& heads, HeadMerge form) {
    return is_multi_head ? merge(heads, form, x.size(-2)) : heads;
  };
  Tensor merged = merge_if_needed(context, formula.merge);
  if (formula.residual == Residual::values) {
    merged = reference::add(merged,
                            merge_if_needed(inputs.v, HeadMerge::by_columns));
  } else if (formula.residual == Residual::input_before_projection) {
    merged = reference::add(merged, x);
  }
  const Tensor output =
      is_multi_head ? project_output(formula, test_case, merged) : merged;
  return formula.residual == Residual::input ? reference::add(output, x)
                                             : output;
}

bool swaps_back(const Formula& formula, const Case& test_case,
                const Tensor& context) {
  return formula.split == HeadSplit::not_transposed &&
         test_case.kind != Kind::multi_head_attention && context.rank() == 4;
}

// Throws std::invalid_argument where numpy refuses.
Tensor evaluate_output(const Formula& formula, const FormulaInputs& inputs,
                       const Tensor& weights) {
  const Case& test_case = *inputs.test_case;
  Tensor context = sum_values(
      formula, weights,
      has_right_values(formula) ? inputs.v : make_values(formula, test_case));
  if (formula.value_factor == ValueFactor::by_sqrt_dk) {
    multiply(context, 1.0 / root_of_width(test_case));
  }
  if (swaps_back(formula, test_case, context)) {
    context = swap_tokens_and_heads(context);
  }
  Tensor output = finish_output(formula, inputs, context);
  if (formula.storage == Storage::output) {
    truncate(output);
  }
  return output;
}

Prediction try_weights(const Formula& formula, const FormulaInputs& inputs,
                       const Arithmetic& arithmetic) {
  Prediction prediction;
  try {
    evaluate_weights(formula, inputs, arithmetic, prediction);
    prediction.weights_misfit =
        prediction.weights.shape != inputs.test_case->expected.weights.shape;
  } catch (const std::invalid_argument& refused) {
    prediction.loud = refused.what();
  }
  return prediction;
}

void add_output(PredictedOutput predicted, Prediction& prediction) {
  prediction.loud = std::move(predicted.loud);
  prediction.output = std::move(predicted.output);
}

// The values that are not v do not change with v: each block of columns
// recovers the same.
Tensor repeat_columns(const Tensor& context, std::int64_t m) {
  reference::Shape shape = context.shape;
  const std::int64_t width = shape.back();
  shape.back() = m;
  Tensor result(shape);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    result.data[i] = context.data[static_cast<std::size_t>(cell / m * width +
                                                           cell % m % width)];
  }
  return result;
}

// Tokens attend over their own heads, all of which hold the same one-hot row j
// at token j: the rest of the row sums to nothing. `weights` are (B, n, H, H).
Tensor recover_from_heads(const Tensor& weights) {
  const Tensor by_token = swap_tokens_and_heads(weights);
  const auto n = static_cast<std::size_t>(by_token.size(-2));
  const auto heads = static_cast<std::size_t>(by_token.size(-1));
  reference::Shape shape = by_token.shape;
  shape.back() = by_token.size(-2);
  Tensor result(shape);
  for (std::size_t row = 0; row * n < result.data.size(); ++row) {
    result.data[row * n + row % n] = std::accumulate(
        &by_token.data[row * heads], &by_token.data[row * heads] + heads, 0.0);
  }
  return result;
}

}  // namespace

FormulaInputs make_inputs(const Case& test_case) {
  FormulaInputs inputs;
  inputs.test_case = &test_case;
  const Formula right;
  inputs.q = make_queries(right, test_case);
  inputs.k = make_keys(right, test_case);
  inputs.v = make_values(right, test_case);
  inputs.mask = effective_mask(test_case);
  for (const Product product : products) {
    inputs.products[product] = try_product(product, inputs);
  }
  return inputs;
}

bool applies(const Formula& formula, const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  if (formula.softmax == Softmax::over_batch) {
    return dimensions.batch != 0;
  }
  return formula.softmax != Softmax::over_heads || dimensions.heads != 0;
}

Prediction predict_weights(const Formula& formula, const FormulaInputs& inputs,
                           DType precision) {
  return try_weights(formula, inputs, {.range = precision});
}

PredictedOutput predict_output(const Formula& formula,
                               const FormulaInputs& inputs,
                               const Tensor& weights) {
  PredictedOutput predicted;
  const reference::Shape& right = inputs.test_case->expected.output.shape;
  try {
    predicted.output = evaluate_output(formula, inputs, weights);
    if (predicted.output.shape != right) {
      predicted.loud = "an output of shape " +
                       reference::to_string(predicted.output.shape) +
                       " instead of " + reference::to_string(right);
    }
  } catch (const std::invalid_argument& refused) {
    predicted.loud = refused.what();
  }
  return predicted;
}

Prediction predict(const Formula& formula, const FormulaInputs& inputs,
                   DType precision) {
  Prediction prediction = predict_weights(formula, inputs, precision);
  if (prediction.loud.empty()) {
    add_output(predict_output(formula, inputs, prediction.weights), prediction);
  }
  return prediction;
}

Case rounded_arguments(const Case& test_case, DType precision) {
  Case result = test_case;
  for (NamedTensor& argument : result.arguments) {
    argument.tensor = rounded(std::move(argument.tensor), precision);
  }
  return result;
}

FormulaInputs make_rounded_inputs(const Case& rounded_case, DType precision) {
  FormulaInputs inputs = make_inputs(rounded_case);
  for (Tensor* operand : {&inputs.q, &inputs.k, &inputs.v}) {
    *operand = rounded(std::move(*operand), precision);
  }
  for (const Product product : products) {
    inputs.products[product] = try_product(product, inputs);
  }
  return inputs;
}

Prediction predict_rounded(const Formula& formula,
                           const FormulaInputs& rounded_inputs,
                           DType precision) {
  Prediction prediction = try_weights(
      formula, rounded_inputs, {.range = precision, .rounding = precision});
  if (prediction.loud.empty()) {
    add_output(predict_output(formula, rounded_inputs, prediction.weights),
               prediction);
    prediction.output = rounded(std::move(prediction.output), precision);
  }
  return prediction;
}

Tensor predict_recovered(const Formula& formula, const FormulaInputs& inputs,
                         const Tensor& true_weights, const Tensor& output) {
  const std::int64_t m = inputs.test_case->dimensions.m;
  Tensor weights = swaps_back(formula, *inputs.test_case, true_weights)
                       ? recover_from_heads(true_weights)
                       : true_weights;
  if (formula.value.source != Source::value) {
    weights = repeat_columns(output, m);
  } else if (formula.weighted_sum == WeightedSum::mean) {
    weights = uniform_weights(weights.shape);
  } else if (formula.weighted_sum == WeightedSum::weights_transposed) {
    weights = reference::swap_last_axes(weights);
  }
  if (formula.value_factor == ValueFactor::by_sqrt_dk) {
    multiply(weights, 1.0 / root_of_width(*inputs.test_case));
  }
  if (formula.storage == Storage::output) {
    truncate(weights);
  }
  return weights;
}

}  // namespace grader
