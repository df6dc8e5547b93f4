// SPDX-License-Identifier: MIT
#include "grader/diagnosis/formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "grader/diagnosis/softmax_variants.hpp"
#include "grader/fixture/argument.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

using reference::Tensor;

// merge heads and project where the kind does so
Tensor finish_output(const Case& test_case, const Tensor& context) {
  if (test_case.kind != Kind::multi_head_attention) {
    return context;
  }
  return reference::matmul(reference::merge_heads(context),
                           argument(test_case, "w_o"));
}

double filled(const Formula& formula, double score, double factor) {
  switch (formula.fill_form) {
    case Fill::minus_infinity:
      return -std::numeric_limits<double>::infinity();
    case Fill::large_negative:
      return -1e9;
    case Fill::added:
      return score * factor + formula.fill;
    case Fill::added_then_scaled:
      return (score + formula.fill) * factor;
  }
  return score;
}

// Returns max |z| over the finite scores that are not hidden: a fill of -1e9 is
// no score whose rounding anyone has to allow for.
double scale_and_hide(Tensor& scores, const Formula& formula, double factor,
                      const std::optional<reference::Mask>& mask) {
  // Hidden after the softmax by this variant, not before.
  const bool hide = mask && formula.softmax != Softmax::renormalised_mask;
  const reference::Mask keep =
      hide ? reference::broadcast_to(*mask, scores.shape) : reference::Mask{};
  double largest = 0.0;
  for (std::size_t i = 0; i < scores.data.size(); ++i) {
    if (hide && keep.data[i] == 0) {
      scores.data[i] = filled(formula, scores.data[i], factor);
      continue;
    }
    scores.data[i] *= factor;
    if (std::isfinite(scores.data[i])) {
      largest = std::max(largest, std::abs(scores.data[i]));
    }
  }
  return largest;
}

void multiply(Tensor& tensor, double factor) {
  for (double& value : tensor.data) {
    value *= factor;
  }
}

// Every query gets the mean of the values, whatever its weights are.
Tensor uniform_weights(const reference::Shape& shape) {
  return Tensor(shape, 1.0 / static_cast<double>(shape.back()));
}

double root_of_width(const Case& test_case) {
  return std::sqrt(static_cast<double>(test_case.dimensions.d_k));
}

// The weights, after scale, mask and softmax. Throws std::invalid_argument
// where the mask does not fit the scores.
void evaluate_weights(const Formula& formula, const FormulaInputs& inputs,
                      DType precision, Prediction& prediction) {
  Tensor scores = inputs.products.at(formula.product).scores;
  const std::optional<reference::Mask>& mask = inputs.mask;
  prediction.score = scale_and_hide(
      scores, formula,
      scale_factor(formula.scale, inputs.test_case->dimensions), mask);
  if (mask && formula.softmax == Softmax::renormalised_mask) {
    prediction.unreliable_rows =
        rows_lost_to_underflow(scores, *mask, precision);
  }
  prediction.weights = apply_softmax(formula, scores, mask, precision);
  if (formula.weight_factor == WeightFactor::by_sqrt_dk) {
    multiply(prediction.weights, 1.0 / root_of_width(*inputs.test_case));
  }
}

}  // namespace

bool applies(const Formula& formula, const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  if (formula.softmax == Softmax::over_batch) {
    return dimensions.batch != 0;
  }
  return formula.softmax != Softmax::over_heads || dimensions.heads != 0;
}

Prediction predict_weights(const Formula& formula, const FormulaInputs& inputs,
                           DType precision) {
  Prediction prediction;
  prediction.loud = inputs.products.at(formula.product).refused;
  if (!prediction.loud.empty()) {
    return prediction;
  }
  const reference::Shape& right = inputs.test_case->expected.weights.shape;
  try {
    evaluate_weights(formula, inputs, precision, prediction);
    if (prediction.weights.shape != right) {
      prediction.loud = "weights of shape " +
                        reference::to_string(prediction.weights.shape) +
                        " instead of " + reference::to_string(right);
    }
  } catch (const std::invalid_argument& refused) {
    prediction.loud = refused.what();
  }
  return prediction;
}

void predict_output(const Formula& formula, const FormulaInputs& inputs,
                    Prediction& prediction) {
  Tensor context =
      formula.value_factor == ValueFactor::mean
          ? reference::matmul(uniform_weights(prediction.weights.shape),
                              inputs.v)
          : reference::matmul(prediction.weights, inputs.v);
  if (formula.value_factor == ValueFactor::by_sqrt_dk) {
    multiply(context, 1.0 / root_of_width(*inputs.test_case));
  }
  prediction.output = finish_output(*inputs.test_case, context);
}

Prediction predict(const Formula& formula, const FormulaInputs& inputs,
                   DType precision) {
  Prediction prediction = predict_weights(formula, inputs, precision);
  if (prediction.loud.empty()) {
    predict_output(formula, inputs, prediction);
  }
  return prediction;
}

}  // namespace grader
