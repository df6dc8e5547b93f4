// SPDX-License-Identifier: MIT
#include "grader/diagnosis/prediction_cache.hpp"

#include <algorithm>
#include <cmath>

#include "grader/comparison/magnitude.hpp"

namespace grader {
namespace {

using reference::Tensor;

// A hidden cell of -1e9 must not excuse its neighbours.
std::vector<double> sizes_of(const Tensor& weights, double largest) {
  std::vector<double> sizes;
  if (largest <= 1.0) {
    return sizes;
  }
  sizes.reserve(weights.data.size());
  for (const double weight : weights.data) {
    sizes.push_back(std::isfinite(weight) ? std::max(1.0, std::abs(weight))
                                          : 1.0);
  }
  return sizes;
}

// The largest weight of the row (of any head) that an output is made of.
std::vector<double> output_sizes_of(const Case& test_case,
                                    const CachedWeights& weights,
                                    const Tensor& output) {
  if (weights.sizes.empty() || weights.prediction.weights_misfit) {
    return {};
  }
  const auto m = static_cast<std::size_t>(weights.prediction.weights.size(-1));
  const auto n = static_cast<std::size_t>(weights.prediction.weights.size(-2));
  const auto width = static_cast<std::size_t>(output.size(-1));
  const bool merged = test_case.kind == Kind::multi_head_attention;
  const auto heads =
      merged ? static_cast<std::size_t>(test_case.dimensions.heads) : 1;
  std::vector<double> sizes(output.data.size(), 1.0);
  for (std::size_t cell = 0; cell < weights.sizes.size(); ++cell) {
    const std::size_t row = cell / m;
    const std::size_t output_row = row / (heads * n) * n + row % n;
    double& first = sizes[output_row * width];
    first = std::max(first, weights.sizes[cell]);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = sizes[i / width * width];
  }
  return sizes;
}

void take_cells(const Tensor& tensor,
                std::array<float, Fingerprint::cells>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = static_cast<float>(
        tensor.data[fingerprint_cell(i, tensor.data.size())]);
  }
}

Fingerprint make_fingerprint(const Formula& formula,
                             const FormulaInputs& inputs, DType precision) {
  const Prediction prediction = predict(formula, inputs, precision);
  Fingerprint fingerprint;
  fingerprint.is_loud = !prediction.loud.empty();
  fingerprint.weights_misfit = prediction.weights_misfit;
  if (!fingerprint.is_loud) {
    take_cells(prediction.weights, fingerprint.weights);
    take_cells(prediction.output, fingerprint.output);
  }
  return fingerprint;
}

}  // namespace

std::size_t fingerprint_cell(std::size_t index, std::size_t count) {
  return (2 * index + 1) * count / (2 * Fingerprint::cells);
}

CachedWeights make_weights(const Formula& formula, const FormulaInputs& inputs,
                           DType precision) {
  CachedWeights result;
  if (formula == Formula{}) {
    result.prediction.weights = inputs.test_case->expected.weights;
  } else {
    result.prediction = predict_weights(formula, inputs, precision);
  }
  result.largest = largest_finite(result.prediction.weights);
  result.sizes = sizes_of(result.prediction.weights, result.largest);
  return result;
}

CachedOutput make_output(const Formula& formula, const FormulaInputs& inputs,
                         const CachedWeights& weights) {
  const Case& test_case = *inputs.test_case;
  const Tensor& true_weights = weights.prediction.weights;
  CachedOutput result;
  if (formula == Formula{}) {
    result.prediction.output = test_case.expected.output;
  } else {
    result.prediction = predict_output(formula, inputs, true_weights);
  }
  if (!result.prediction.loud.empty()) {
    return result;
  }
  const Tensor& output = result.prediction.output;
  result.largest = largest_finite(output);
  result.sizes = output_sizes_of(test_case, weights, output);
  if (!is_projected(test_case.kind) && !weights.prediction.weights_misfit) {
    result.recovered = predict_recovered(formula, inputs, true_weights, output);
  }
  return result;
}

const CachedWeights& PredictionCache::find_or_make(
    const Key& key, const FormulaInputs& inputs) {
  auto& entry = weights_[key];
  if (!entry) {
    entry = std::make_unique<const CachedWeights>(
        make_weights(key.first, inputs, key.second));
  }
  return *entry;
}

const CachedWeights& PredictionCache::weights(const Formula& formula,
                                              const FormulaInputs& inputs,
                                              DType precision) {
  const std::scoped_lock lock(mutex_);
  return find_or_make({formula, precision}, inputs);
}

const CachedOutput& PredictionCache::output(const Formula& formula,
                                            const FormulaInputs& inputs,
                                            DType precision) {
  const std::scoped_lock lock(mutex_);
  const Key key{formula, precision};
  auto& entry = outputs_[key];
  if (!entry) {
    entry = std::make_unique<const CachedOutput>(
        make_output(formula, inputs, find_or_make(key, inputs)));
  }
  return *entry;
}

const Fingerprint& PredictionCache::fingerprint(const Formula& formula,
                                                const FormulaInputs& inputs,
                                                DType precision) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] =
      fingerprints_.try_emplace(Key{formula, precision});
  if (is_new) {
    found->second = make_fingerprint(formula, inputs, precision);
  }
  return found->second;
}

std::size_t PredictionCache::bytes() const {
  const std::scoped_lock lock(mutex_);
  std::size_t numbers = 0;
  for (const auto& [key, weights] : weights_) {
    numbers += weights->prediction.weights.data.size() + weights->sizes.size();
  }
  for (const auto& [key, output] : outputs_) {
    numbers += output->prediction.output.data.size() + output->sizes.size() +
               output->recovered.data.size();
  }
  return sizeof(double) * numbers +
         fingerprints_.size() * (sizeof(Key) + sizeof(Fingerprint)) +
         weights_.size() * (sizeof(Key) + sizeof(CachedWeights)) +
         outputs_.size() * (sizeof(Key) + sizeof(CachedOutput));
}

}  // namespace grader
