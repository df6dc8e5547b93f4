// SPDX-License-Identifier: MIT
#include "grader/lesson/training_study.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "grader/lesson/estimate.hpp"
#include "grader/lesson/score_figures.hpp"
#include "reference/lookup.hpp"
#include "reference/random.hpp"

namespace grader {
namespace {

using reference::Tensor;

// Of one start.
struct Run {
  std::vector<double> loss;      // before each step, and after all
  std::vector<double> gradient;  // its norm, likewise
  double wrong = 0.0;            // shares of the rows, at the end
  double dead = 0.0;
};

struct Start {
  reference::LookupTask task;
  reference::LookupWeights weights;
};

Start draw_start(const TrainingSettings& settings, double value_factor,
                 std::uint64_t seed) {
  const double spread = 1.0 / std::sqrt(static_cast<double>(settings.d_model));
  const reference::Shape tokens = {settings.n, settings.d_model};
  const reference::Shape weights = {settings.d_model, settings.d_k};
  reference::Random random(seed);
  Start start;
  start.task.y = random.standard_normal(tokens);
  start.task.x = random.standard_normal(tokens);
  start.task.v = reference::scale(
      random.standard_normal(reference::Shape{settings.n, settings.d_v}),
      value_factor);
  start.weights.w_q = reference::scale(random.standard_normal(weights), spread);
  start.weights.w_k = reference::scale(random.standard_normal(weights), spread);
  return start;
}

// Query i is to attend to key i.
void count_rows(const Tensor& attention, Run& run) {
  const auto n = static_cast<std::size_t>(attention.size(0));
  std::size_t wrong = 0;
  std::size_t dead = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = std::span(attention.data).subspan(i * n, n);
    const auto largest = std::ranges::max_element(row) - row.begin();
    if (static_cast<std::size_t>(largest) != i) {
      ++wrong;
    }
    if (is_dead(row)) {
      ++dead;
    }
  }
  run.wrong = static_cast<double>(wrong) / static_cast<double>(n);
  run.dead = static_cast<double>(dead) / static_cast<double>(n);
}

Run train(const TrainingSettings& settings, const TrainingOutcome& scale,
          double rate, std::uint64_t seed) {
  Start start = draw_start(settings, scale.value_factor, seed);
  const double unit = scale.value_factor * scale.value_factor;
  Run run;
  for (std::int64_t step = 0; step <= settings.steps; ++step) {
    const reference::LookupGradient found =
        reference::lookup_gradient(start.task, start.weights, scale.factor);
    run.loss.push_back(found.loss / unit);
    run.gradient.push_back(reference::norm(found.gradient));
    if (step == settings.steps) {
      count_rows(found.attention, run);
    }
    start.weights = reference::descend(start.weights, found.gradient,
                                       rate * scale.rate_factor);
  }
  return run;
}

std::optional<std::int64_t> steps_to_enough(const std::vector<double>& loss) {
  const auto reached =
      std::ranges::find_if(loss, [](double one) { return one <= enough_loss; });
  return reached == loss.end()
             ? std::nullopt
             : std::optional<std::int64_t>(reached - loss.begin());
}

double deviation_of_starts(const std::vector<double>& values) {
  return estimate(values).error * std::sqrt(static_cast<double>(values.size()));
}

Curve curve_of(const std::vector<Run>& runs, std::vector<double> Run::*values) {
  Curve curve;
  const std::size_t count = (runs.front().*values).size();
  for (std::size_t step = 0; step < count;
       step += static_cast<std::size_t>(steps_between)) {
    std::vector<double> of_starts;
    of_starts.reserve(runs.size());
    for (const Run& run : runs) {
      of_starts.push_back((run.*values)[step]);
    }
    curve.mean.push_back(mean_of(of_starts));
    curve.deviation.push_back(deviation_of_starts(of_starts));
  }
  return curve;
}

RateOutcome outcome_of(double rate, const std::vector<Run>& runs) {
  RateOutcome outcome;
  outcome.rate = rate;
  for (const Run& run : runs) {
    outcome.final_loss.push_back(run.loss.back());
    outcome.steps.push_back(steps_to_enough(run.loss));
    outcome.wrong.push_back(run.wrong);
    outcome.dead.push_back(run.dead);
  }
  return outcome;
}

std::vector<Run> train_all(const TrainingSettings& settings,
                           const TrainingOutcome& scale, double rate) {
  std::vector<Run> runs;
  for (std::int64_t i = 0; i < settings.seeds; ++i) {
    runs.push_back(train(settings, scale, rate,
                         settings.seed + static_cast<std::uint64_t>(i)));
  }
  return runs;
}

void try_rates(const TrainingSettings& settings, TrainingOutcome& scale) {
  double lowest = 0.0;
  for (const double rate : learning_rates()) {
    const std::vector<Run> runs = train_all(settings, scale, rate);
    scale.by_rate.push_back(outcome_of(rate, runs));
    const double loss = mean_of(scale.by_rate.back().final_loss);
    if (scale.by_rate.size() == 1 || loss < lowest) {
      lowest = loss;
      scale.best = scale.by_rate.size() - 1;
      scale.loss = curve_of(runs, &Run::loss);
      scale.gradient = curve_of(runs, &Run::gradient);
    }
  }
}

}  // namespace

const std::vector<double>& learning_rates() {
  static const std::vector<double> rates = {0.003, 0.01, 0.03, 0.1, 0.3,
                                            1.0,   3.0,  10.0, 30.0};
  return rates;
}

TrainingStudy study_training(const TrainingSettings& settings) {
  const auto d_k = static_cast<double>(settings.d_k);
  const double root = 1.0 / std::sqrt(d_k);
  TrainingStudy study;
  study.settings = settings;
  study.scales = {
      {.name = "none"},
      {.name = "1/sqrt(d_k)", .factor = root},
      {.name = "1/d_k", .factor = 1.0 / d_k},
      {.name = "values instead", .value_factor = root, .rate_factor = d_k}};
  for (TrainingOutcome& scale : study.scales) {
    try_rates(settings, scale);
  }
  return study;
}

}  // namespace grader
