// SPDX-License-Identifier: MIT
#include "grader/diagnosis/case_fit.hpp"

#include <algorithm>
#include <cmath>

#include "grader/comparison/magnitude.hpp"

namespace grader {
namespace {

using reference::Tensor;

CaseFit contradiction() {
  return {.ratio = infinity, .error = infinity};
}

bool all_finite(const Tensor& tensor) {
  return std::ranges::all_of(tensor.data,
                             [](double value) { return std::isfinite(value); });
}

// Python's math.exp raises where numpy returns infinity.
bool raised_for_overflow(const CaseObservation& observation) {
  const auto* raised = std::get_if<Raised>(&observation.outcome);
  return raised != nullptr && (raised->type == "OverflowError" ||
                               raised->type == "ZeroDivisionError" ||
                               raised->type == "FloatingPointError");
}

// The tolerance of the case, widened where the hypothesis itself works with
// larger scores, narrowed where all its weights are small: a softmax over the
// whole tensor leaves nothing above 0.01, and a limit made for weights up to 1
// would let zeros pass for it.
Tolerance tolerance_of(const Formula& formula, const CachedWeights& weights,
                       const PreparedCase& prepared, DType precision) {
  ErrorScale scale = prepared.basis.error_scale;
  scale.score = std::max(scale.score, weights.prediction.score);
  Tolerance tolerance = derive_tolerance(scale, unit_roundoff(precision));
  const double from_fit = formula.scale_error * weights.prediction.score;
  // All of them NaN or 0: there is no size to go by. What is much smaller may
  // be a difference of larger numbers.
  constexpr double smallest = 1e-3;
  const double magnitude =
      weights.largest == 0.0 ? 1.0 : std::clamp(weights.largest, smallest, 1.0);
  tolerance.weights = (tolerance.weights + from_fit) * magnitude;
  tolerance.output =
      (tolerance.output + 2.0 * from_fit * scale.output) * magnitude;
  return tolerance;
}

std::vector<std::uint8_t> either(const std::vector<std::uint8_t>& a,
                                 const std::vector<std::uint8_t>& b) {
  if (a.empty() || b.empty()) {
    return a.empty() ? b : a;
  }
  std::vector<std::uint8_t> result = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    result[i] |= b[i];
  }
  return result;
}

// What a formula says of one case; the output is worked out when it is asked
// for, since most hypotheses fail on the weights already.
class CasePrediction {
 public:
  CasePrediction(const Formula& formula, const PreparedCase& prepared,
                 DType precision)
      : formula_(formula), prepared_(prepared), precision_(precision) {
    if (formula.is_fitted) {  // no other submission has it
      own_weights_ = make_weights(formula, prepared.inputs, precision);
      weights_ = &own_weights_;
    } else {
      weights_ =
          &prepared.predictions->weights(formula, prepared.inputs, precision);
    }
    if (!is_loud()) {
      tolerance_ = tolerance_of(formula, *weights_, prepared, precision);
    }
  }
  CasePrediction(const CasePrediction&) = delete;
  CasePrediction& operator=(const CasePrediction&) = delete;

  bool is_loud() const { return !weights_->prediction.loud.empty(); }
  // Rows that underflow say nothing of allowed keys, but what was zeroed is 0.
  bool masks_late() const {
    return formula_.softmax == Softmax::renormalised_mask;
  }
  DType precision() const { return precision_; }
  bool weights_misfit() const { return weights_->prediction.weights_misfit; }
  const CachedWeights& weights() const { return *weights_; }
  const Tolerance& tolerance() const { return tolerance_; }

  // Requires weights that are not loud.
  const CachedOutput& output() {
    if (output_ == nullptr) {
      if (formula_.is_fitted) {
        own_output_ = make_output(formula_, prepared_.inputs, *weights_);
        output_ = &own_output_;
      } else {
        output_ = &prepared_.predictions->output(formula_, prepared_.inputs,
                                                 precision_);
      }
    }
    return *output_;
  }

  std::vector<std::uint8_t> ignored_weight_rows() const {
    return either(prepared_.basis.ignored.weights,
                  weights_->prediction.unreliable_rows);
  }

  std::vector<std::uint8_t> ignored_output_rows() const {
    return either(prepared_.basis.ignored.output,
                  output_rows(*prepared_.test_case,
                              weights_->prediction.unreliable_rows));
  }

  // An output that is larger than the right one is known that much worse, where
  // it is not compared relative to its size anyway.
  double output_limit() {
    if (!output().sizes.empty()) {
      return tolerance_.output;
    }
    const double right = prepared_.largest_output;
    const double growth = right > 0.0 ? output().largest / right : 1.0;
    return tolerance_.output * std::max(1.0, growth);
  }

 private:
  const Formula& formula_;
  const PreparedCase& prepared_;
  DType precision_;
  CachedWeights own_weights_;
  CachedOutput own_output_;
  const CachedWeights* weights_ = nullptr;
  const CachedOutput* output_ = nullptr;
  Tolerance tolerance_;
};

Tensor mean_over_heads(const Tensor& weights) {
  const std::size_t rank = weights.shape.size();
  const auto heads = static_cast<std::size_t>(weights.shape[rank - 3]);
  reference::Shape shape = weights.shape;
  shape.erase(shape.end() - 3);
  Tensor mean(shape);
  const auto matrix = static_cast<std::size_t>(shape[rank - 3]) *
                      static_cast<std::size_t>(shape[rank - 2]);
  for (std::size_t i = 0; i < weights.data.size(); ++i) {
    const std::size_t batch = i / (heads * matrix);
    mean.data[batch * matrix + i % matrix] +=
        weights.data[i] / static_cast<double>(heads);
  }
  return mean;
}

// Keeps the comparison that is worst in units of its limit.
class WorstFit {
 public:
  // `signal` is the largest number predicted: where it is within a few limits,
  // zeros would pass as well, and nothing was shown.
  template <typename Signal>
  void add(double error, double limit, Signal signal) {
    constexpr double clear = 8.0;
    const double ratio = error / limit;
    if (ratio <= 1.0) {
      fit_.is_silent |= signal() > clear * limit;
    }
    if (fit_.limit == 0.0 || ratio > fit_.ratio) {
      fit_.ratio = ratio;
      fit_.error = error;
      fit_.limit = limit;
    }
  }
  const CaseFit& result() const { return fit_; }

 private:
  CaseFit fit_;
};

// An error of which nobody asks how large it is.
double beyond(double limit, double give_up) {
  return std::nextafter(limit * std::max(give_up, 1.0), infinity);
}

void compare_weights(CasePrediction& prediction, const Evidenced& evidenced,
                     double give_up, WorstFit& worst) {
  const CaseObservation& observation = *evidenced.observation;
  const CachedWeights& weights = prediction.weights();
  const double limit =
      prediction.tolerance().weights + grid_rounding(evidenced).weights +
      return_rounding(observation, prediction.precision()).weights *
          weights.largest;
  if (has_deciding_weights(observation)) {
    const bool recovered =
        observation.weights_source == WeightsSource::recovered;
    const Tensor& expected =
        recovered ? prediction.output().recovered : weights.prediction.weights;
    const auto ignored = prediction.ignored_weight_rows();
    const double error =
        max_sized_error(*observation.weights, expected, weights.sizes, ignored,
                        beyond(limit, give_up));
    worst.add(error, limit, [&] {
      return ignored.empty() && !recovered ? weights.largest
                                           : largest_finite(expected, ignored);
    });
    if (error <= limit && prediction.masks_late() && leaks(evidenced, limit)) {
      worst.add(infinity, limit, [] { return 0.0; });
    }
  }
  if (observation.head_averaged_weights) {
    const Tensor expected = mean_over_heads(weights.prediction.weights);
    const auto ignored = any_head(prediction.ignored_weight_rows(),
                                  evidenced.test_case().dimensions);
    worst.add(max_error(*observation.head_averaged_weights, expected, ignored),
              limit, [&] { return largest_finite(expected, ignored); });
  }
}

bool returns_weights(const CaseObservation& observation) {
  return has_deciding_weights(observation) || observation.head_averaged_weights;
}

CaseFit compare_numbers(CasePrediction& prediction, const Evidenced& evidenced,
                        double give_up) {
  const CaseObservation& observation = *evidenced.observation;
  WorstFit worst;
  const bool recovered = observation.weights_source == WeightsSource::recovered;
  // Weights of another shape are recovered as something else.
  if (returns_weights(observation) &&
      !(recovered && prediction.weights_misfit())) {
    if (prediction.weights_misfit()) {
      return contradiction();
    }
    if (recovered && !prediction.output().prediction.loud.empty()) {
      return contradiction();
    }
    compare_weights(prediction, evidenced, give_up, worst);
  }
  if (observation.output && worst.result().ratio <= give_up) {
    const CachedOutput& output = prediction.output();
    if (!output.prediction.loud.empty()) {
      return contradiction();
    }
    const Tensor& expected = output.prediction.output;
    const auto ignored = prediction.ignored_output_rows();
    const double limit =
        prediction.output_limit() + grid_rounding(evidenced).output +
        return_rounding(observation, prediction.precision()).output *
            evidenced.prepared->basis.error_scale.output;
    worst.add(max_sized_error(*observation.output, expected, output.sizes,
                              ignored, beyond(limit, give_up)),
              limit, [&] {
                return ignored.empty() ? output.largest
                                       : largest_finite(expected, ignored);
              });
  }
  return worst.result();
}

// NaN throughout is what this predicts, and all that can be seen of it.
bool shows_nan_throughout(const Formula& formula,
                          const CaseObservation& observation) {
  return formula.fill_form == Fill::nan_where_kept && observation.output &&
         std::ranges::none_of(observation.output->data, [](double value) {
           return std::isfinite(value);
         });
}

// Roughly: fingerprints are float32, and a hypothesis may work with larger
// scores than the case.
bool cells_agree(const Tensor& actual,
                 const std::array<float, Fingerprint::cells>& cells,
                 const std::vector<std::uint8_t>& ignored, double tolerance,
                 double rounding) {
  const double relative = 1e-3 + rounding;
  const auto width = static_cast<std::size_t>(actual.size(-1));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t cell = fingerprint_cell(i, actual.data.size());
    const double predicted = cells[i];
    const double observed = actual.data[cell];
    const bool counts = ignored.empty() || ignored[cell / width] == 0;
    if (!counts || !std::isfinite(predicted)) {
      continue;
    }
    const double near =
        relative * (1.0 + std::abs(predicted)) + 16.0 * tolerance;
    if (!(std::abs(observed - predicted) <= near)) {
      return false;
    }
  }
  return true;
}

// Whether the formula raises, or, for a call that returned, gives weights or an
// output of the wrong shape.
bool predicts_noise(CasePrediction& prediction,
                    const CaseObservation& observation) {
  const bool returned = std::holds_alternative<Returned>(observation.outcome);
  return prediction.is_loud() || (returned && prediction.weights_misfit()) ||
         !prediction.output().prediction.loud.empty();
}

}  // namespace

GridRounding grid_rounding(const Evidenced& evidenced) {
  const CaseObservation& observation = *evidenced.observation;
  const auto keys = static_cast<double>(evidenced.prepared->inputs.k.size(-2));
  const double output = 0.5 * observation.output_grid;
  const double returned = 0.5 * observation.weights_grid;
  // Recovered weights are outputs.
  const bool recovered = observation.weights_source == WeightsSource::recovered;
  return {.output = output + returned * keys *
                                 evidenced.prepared->basis.error_scale.output,
          .weights = recovered ? output : returned};
}

ReturnRounding return_rounding(const CaseObservation& observation,
                               DType precision) {
  const double inside = unit_roundoff(precision);
  const double output = unit_roundoff(observation.output_dtype);
  const double weights = unit_roundoff(observation.weights_dtype);
  if (observation.weights_source != WeightsSource::returned ||
      !observation.output || (output > inside && weights > inside)) {
    return {};
  }
  // W, v and their product, and the sums in between: W.half() @ v.half().
  constexpr double roundings = 4.0;
  return {.output = output > inside ? roundings * output : 0.0,
          .weights = weights > inside ? weights : 0.0};
}

bool may_fit(const Formula& formula, const Evidenced& evidenced,
             DType precision) {
  if (!applies(formula, evidenced.test_case())) {
    return false;
  }
  const PreparedCase& prepared = *evidenced.prepared;
  const CaseObservation& observation = *evidenced.observation;
  const Fingerprint& predicted =
      prepared.predictions->fingerprint(formula, prepared.inputs, precision);
  if (predicted.is_loud) {
    return false;
  }
  const Tolerance tolerance =
      derive_tolerance(prepared.basis.error_scale, unit_roundoff(precision));
  const ReturnRounding rounding = return_rounding(observation, precision);
  const auto& ignored = prepared.basis.ignored;
  if (observation.weights_source == WeightsSource::returned &&
      observation.weights &&
      (predicted.weights_misfit ||
       !cells_agree(*observation.weights, predicted.weights, ignored.weights,
                    tolerance.weights, rounding.weights))) {
    return false;
  }
  return !observation.output ||
         cells_agree(*observation.output, predicted.output, ignored.output,
                     tolerance.output, rounding.output);
}

CaseFit fit_case(const Formula& formula, const Evidenced& evidenced,
                 DType precision, double give_up) {
  if (!applies(formula, evidenced.test_case())) {
    return contradiction();
  }
  const CaseObservation& observation = *evidenced.observation;
  CasePrediction prediction(formula, *evidenced.prepared, precision);
  if (is_silent(observation)) {
    if (prediction.is_loud()) {
      return contradiction();
    }
    CaseFit fit = compare_numbers(prediction, evidenced, give_up);
    fit.is_silent |= shows_nan_throughout(formula, observation);
    return fit;
  }
  if (is_loud(observation) && predicts_noise(prediction, observation)) {
    return CaseFit{};
  }
  const bool overflow = raised_for_overflow(observation) &&
                        !prediction.is_loud() &&
                        !all_finite(prediction.weights().prediction.weights);
  return overflow ? CaseFit{} : contradiction();
}

}  // namespace grader
