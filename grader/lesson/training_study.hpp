// SPDX-License-Identifier: MIT
// What training makes of three scales, from the same starts: one head learns to
// look up (reference/lookup.hpp), by plain gradient descent. training_lesson.py
// computes the same, to the last bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

struct TrainingSettings {
  std::int64_t d_k = 64;
  std::int64_t n = 16;        // queries, and keys
  std::int64_t d_model = 16;  // width of a token
  std::int64_t d_v = 8;
  std::int64_t steps = 300;
  std::int64_t seeds = 10;  // starts, numbered from `seed`
  std::uint64_t seed = 0;
};

// A loss is divided by its target's scale squared, so that about 1 is what
// equal weights give.
constexpr double enough_loss = 0.25;

// Before every tenth step, and after all.
constexpr std::int64_t steps_between = 10;

struct RateOutcome {
  double rate = 0.0;
  std::vector<double> final_loss;                  // by start
  std::vector<std::optional<std::int64_t>> steps;  // to enough_loss, by start
  // Of the rows at the end, by start: the largest weight is a wrong key's;
  // dead.
  std::vector<double> wrong;
  std::vector<double> dead;
};

// Over the starts, at each recorded step.
struct Curve {
  std::vector<double> mean;
  std::vector<double> deviation;
};

struct TrainingOutcome {
  std::string name;     // "none", "1/sqrt(d_k)", "1/d_k", "values instead"
  double factor = 1.0;  // of the scores
  double value_factor = 1.0;  // of the values, and of what they are to be
  double rate_factor = 1.0;   // of the learning rate, to make up for that
  std::vector<RateOutcome> by_rate{};
  std::size_t best = 0;  // of by_rate: the lowest final loss, on average
  Curve loss{};          // at the best rate
  Curve gradient{};      // its norm
};

struct TrainingStudy {
  TrainingSettings settings;
  std::vector<TrainingOutcome> scales;
};

// seeds at least 2.
TrainingStudy study_training(const TrainingSettings& settings);

// 0.003 to 30
const std::vector<double>& learning_rates();

}  // namespace grader
