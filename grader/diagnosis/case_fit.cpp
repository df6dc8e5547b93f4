// SPDX-License-Identifier: MIT
#include "grader/diagnosis/case_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace grader {
namespace {

using reference::Tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();

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

double largest_finite(const Tensor& tensor) {
  double result = 0.0;
  for (const double value : tensor.data) {
    if (std::isfinite(value)) {
      result = std::max(result, std::abs(value));
    }
  }
  return result;
}

// The tolerance of the case, widened where the hypothesis itself works with
// larger scores, narrowed where all its weights are small: a softmax over the
// whole tensor leaves nothing above 0.01, and a limit made for weights up to 1
// would let zeros pass for it.
Tolerance tolerance_of(const Formula& formula, const Prediction& prediction,
                       const PreparedCase& prepared, DType precision) {
  ErrorScale scale = prepared.basis.error_scale;
  scale.score = std::max(scale.score, prediction.score);
  Tolerance tolerance = derive_tolerance(scale, unit_roundoff(precision));
  const double from_fit = formula.scale_error * prediction.score;
  const double largest = largest_finite(prediction.weights);
  // All of them NaN or 0: there is no size to go by.
  const double magnitude = largest == 0.0 ? 1.0 : std::min(1.0, largest);
  tolerance.weights = (tolerance.weights + from_fit) * magnitude;
  tolerance.output =
      (tolerance.output + 2.0 * from_fit * scale.output) * magnitude;
  return tolerance;
}

// Weights beyond 1 (raw scores, exponentials) are known relative to their size,
// each by itself; a hidden cell of -1e9 must not excuse its neighbours.
std::vector<double> weight_sizes(const Tensor& weights) {
  std::vector<double> sizes;
  sizes.reserve(weights.data.size());
  for (const double weight : weights.data) {
    sizes.push_back(std::isfinite(weight) ? std::max(1.0, std::abs(weight))
                                          : 1.0);
  }
  return sizes;
}

// The largest weight of the row (of any head) that an output is made of.
std::vector<double> output_sizes(const Case& test_case, const Tensor& weights,
                                 const Tensor& output) {
  const std::vector<double> cells = weight_sizes(weights);
  const auto m = static_cast<std::size_t>(weights.size(-1));
  const auto n = static_cast<std::size_t>(weights.size(-2));
  const auto width = static_cast<std::size_t>(output.size(-1));
  const bool merged = test_case.kind == Kind::multi_head_attention;
  const auto heads =
      merged ? static_cast<std::size_t>(test_case.dimensions.heads) : 1;
  std::vector<double> sizes(output.data.size(), 1.0);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const std::size_t row = cell / m;
    const std::size_t output_row = row / (heads * n) * n + row % n;
    double& first = sizes[output_row * width];
    first = std::max(first, cells[cell]);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = sizes[i / width * width];
  }
  return sizes;
}

double max_sized_error(Tensor actual, Tensor expected,
                       const std::vector<double>& sizes,
                       const std::vector<std::uint8_t>& ignored) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    actual.data[i] /= sizes[i];
    expected.data[i] /= sizes[i];
  }
  return max_error(actual, expected, ignored);
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
      : formula_(formula), prepared_(prepared) {
    const Case& test_case = *prepared.test_case;
    if (formula == Formula{}) {
      prediction_.weights = test_case.expected.weights;
      prediction_.output = test_case.expected.output;
    } else {
      prediction_ = predict_weights(formula, prepared.inputs, precision);
    }
    tolerance_ = prediction_.loud.empty()
                     ? tolerance_of(formula, prediction_, prepared, precision)
                     : Tolerance{};
  }

  bool is_loud() const { return !prediction_.loud.empty(); }
  const Tensor& weights() const { return prediction_.weights; }
  const Tolerance& tolerance() const { return tolerance_; }

  const Tensor& output() {
    if (prediction_.output.shape.empty()) {
      predict_output(formula_, prepared_.inputs, prediction_);
    }
    return prediction_.output;
  }

  std::vector<std::uint8_t> ignored_weight_rows() const {
    return either(prepared_.basis.ignored.weights, prediction_.unreliable_rows);
  }

  std::vector<std::uint8_t> ignored_output_rows() const {
    return either(
        prepared_.basis.ignored.output,
        output_rows(*prepared_.test_case, prediction_.unreliable_rows));
  }

 private:
  const Formula& formula_;
  const PreparedCase& prepared_;
  Prediction prediction_;
  Tolerance tolerance_;
};

Tensor average_heads(const Tensor& weights) {
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
  void add(double error, double limit, double signal) {
    constexpr double clear = 8.0;
    const double ratio = error / limit;
    fit_.is_silent |= signal > clear * limit;
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

CaseFit compare_numbers(CasePrediction& prediction,
                        const CaseObservation& observation, double give_up) {
  WorstFit worst;
  if (observation.weights && weights_count(observation)) {
    worst.add(max_sized_error(*observation.weights, prediction.weights(),
                              weight_sizes(prediction.weights()),
                              prediction.ignored_weight_rows()),
              prediction.tolerance().weights,
              largest_finite(prediction.weights()));
  }
  if (observation.head_averaged_weights) {
    worst.add(max_error(*observation.head_averaged_weights,
                        average_heads(prediction.weights()),
                        prediction.ignored_output_rows()),
              prediction.tolerance().weights,
              largest_finite(prediction.weights()));
  }
  if (observation.output && worst.result().ratio <= give_up) {
    worst.add(
        max_sized_error(*observation.output, prediction.output(),
                        output_sizes(*observation.test_case,
                                     prediction.weights(), prediction.output()),
                        prediction.ignored_output_rows()),
        prediction.tolerance().output, largest_finite(prediction.output()));
  }
  return worst.result();
}

}  // namespace

CaseFit fit_case(const Formula& formula, const Evidenced& evidenced,
                 DType precision, double give_up) {
  if (!applies(formula, evidenced.test_case())) {
    return contradiction();
  }
  const CaseObservation& observation = *evidenced.observation;
  CasePrediction prediction(formula, *evidenced.prepared, precision);
  if (prediction.is_loud()) {
    return is_loud(observation) ? CaseFit{} : contradiction();
  }
  if (is_silent(observation)) {
    return compare_numbers(prediction, observation, give_up);
  }
  const bool overflow =
      raised_for_overflow(observation) && !all_finite(prediction.weights());
  return overflow ? CaseFit{} : contradiction();
}

}  // namespace grader
