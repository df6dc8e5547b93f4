// SPDX-License-Identifier: MIT
// Predictions made once a run: thousands of submissions meet the same
// hypotheses on the same cases.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "grader/diagnosis/prediction.hpp"

namespace grader {

// The part of a prediction that needs no output, and what comparing needs of
// it.
struct CachedWeights {
  Prediction prediction;  // without the output
  // Of the weights: the largest finite magnitude.
  double largest = 0.0;
  // Weights beyond 1 (raw scores, exponentials) are known relative to their
  // size, each by itself. Empty where no weight is.
  std::vector<double> sizes;
};

struct CachedOutput {
  PredictedOutput prediction;
  double largest = 0.0;
  std::vector<double> sizes;  // the largest weight behind each output, or empty
  // What one-hot values recover, for the kinds where that is exact.
  reference::Tensor recovered;
};

CachedWeights make_weights(const Formula& formula, const FormulaInputs& inputs,
                           DType precision);
// Requires weights that are not loud.
CachedOutput make_output(const Formula& formula, const FormulaInputs& inputs,
                         const CachedWeights& weights);

// A few cells of a prediction, to pass over thousands of hypotheses without
// keeping their predictions.
struct Fingerprint {
  static constexpr std::size_t cells = 8;  // of each
  bool is_loud = false;
  bool weights_misfit = false;
  std::array<float, cells> weights{};
  std::array<float, cells> output{};
};

// The cells of a fingerprint: evenly spread over a tensor of that many numbers.
std::size_t fingerprint_cell(std::size_t index, std::size_t count);

// Of one case. Safe to use from several threads; what is handed out does not
// change and lives as long as the cache.
class PredictionCache {
 public:
  // Requires applies().
  const CachedWeights& weights(const Formula& formula,
                               const FormulaInputs& inputs, DType precision);
  const CachedOutput& output(const Formula& formula,
                             const FormulaInputs& inputs, DType precision);

  const Fingerprint& fingerprint(const Formula& formula,
                                 const FormulaInputs& inputs, DType precision);

  std::size_t bytes() const;  // held, about

 private:
  using Key = std::pair<Formula, DType>;

  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return FormulaHash()(key.first) * 4 +
             static_cast<std::size_t>(key.second);
    }
  };

  template <typename Value>
  using Table = std::unordered_map<Key, Value, KeyHash>;

  const CachedWeights& find_or_make(const Key& key,
                                    const FormulaInputs& inputs);

  mutable std::mutex mutex_;
  Table<std::unique_ptr<const CachedWeights>> weights_;
  Table<std::unique_ptr<const CachedOutput>> outputs_;
  Table<Fingerprint> fingerprints_;
};

}  // namespace grader
