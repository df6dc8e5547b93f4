// SPDX-License-Identifier: MIT
#include "grader/diagnosis/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "grader/comparison/magnitude.hpp"
#include "grader/diagnosis/case_fit.hpp"
#include "grader/diagnosis/epsilon.hpp"
#include "grader/diagnosis/rounding.hpp"
#include "grader/diagnosis/scale_law.hpp"
#include "grader/fixture/argument.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

using reference::Tensor;

bool tensor_on_grid(const Tensor& tensor, DType precision) {
  return std::ranges::all_of(tensor.data, [&](double value) {
    return !std::isfinite(value) || round_to(value, precision) == value;
  });
}

// a @ b with every product and partial sum rounded; b has the leading axes of a
// or none.
Tensor matmul_rounded(const Tensor& a, const Tensor& b, DType precision) {
  const auto rows = static_cast<std::size_t>(a.size(-2));
  const auto inner = static_cast<std::size_t>(a.size(-1));
  const auto columns = static_cast<std::size_t>(b.size(-1));
  reference::Shape shape = a.shape;
  shape.back() = b.size(-1);
  Tensor product(shape);
  for (std::size_t cell = 0; cell < product.data.size(); ++cell) {
    const std::size_t row = cell / columns;
    const std::size_t matrix = b.rank() == 2 ? 0 : row / rows;
    const double* left = &a.data[row * inner];
    const double* right = &b.data[matrix * inner * columns + cell % columns];
    double sum = 0.0;
    for (std::size_t i = 0; i < inner; ++i) {
      sum = round_to(sum + round_to(left[i] * right[i * columns], precision),
                     precision);
    }
    product.data[cell] = sum;
  }
  return product;
}

// Softmax of z / sqrt(d_k) over the allowed keys, in place.
void softmax_rounded(Tensor& z, const PreparedCase& prepared, DType precision) {
  const double root = round_to(
      std::sqrt(static_cast<double>(prepared.test_case->dimensions.d_k)),
      precision);
  const std::optional<reference::Mask>& mask = prepared.inputs.mask;
  const reference::Mask keep =
      mask ? reference::broadcast_to(*mask, z.shape) : reference::Mask{};
  const auto m = static_cast<std::size_t>(z.size(-1));
  for (std::size_t start = 0; start < z.data.size(); start += m) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = start; i < start + m; ++i) {
      const bool hidden = !keep.data.empty() && keep.data[i] == 0;
      z.data[i] = hidden ? -std::numeric_limits<double>::infinity()
                         : round_to(z.data[i] / root, precision);
      largest = std::max(largest, z.data[i]);
    }
    double sum = 0.0;
    for (std::size_t i = start; i < start + m; ++i) {
      z.data[i] = round_to(std::exp(round_to(z.data[i] - largest, precision)),
                           precision);
      sum = round_to(sum + z.data[i], precision);
    }
    for (std::size_t i = start; i < start + m; ++i) {
      z.data[i] = round_to(z.data[i] / sum, precision);
    }
  }
}

// q, k or v of the formula, from rounded arguments.
Tensor operand_rounded(const PreparedCase& prepared, const Tensor& exact,
                       const char* weight, DType precision) {
  const Case& test_case = *prepared.test_case;
  if (!is_projected(test_case.kind)) {
    return rounded(exact, precision);
  }
  Tensor projected = matmul_rounded(
      rounded(argument(test_case, "x"), precision),
      rounded(argument(test_case, weight), precision), precision);
  return test_case.kind == Kind::multi_head_attention
             ? reference::split_heads(projected, test_case.dimensions.heads)
             : projected;
}

// The textbook calculation with each intermediate rounded.
reference::Attention simulate(const PreparedCase& prepared, DType precision) {
  const Case& test_case = *prepared.test_case;
  const FormulaInputs& inputs = prepared.inputs;
  const Tensor q = operand_rounded(prepared, inputs.q, "w_q", precision);
  const Tensor k = operand_rounded(prepared, inputs.k, "w_k", precision);
  const Tensor v = operand_rounded(prepared, inputs.v, "w_v", precision);
  Tensor weights = matmul_rounded(q, reference::swap_last_axes(k), precision);
  softmax_rounded(weights, prepared, precision);
  Tensor output = matmul_rounded(weights, v, precision);
  if (test_case.kind == Kind::multi_head_attention) {
    output = matmul_rounded(reference::merge_heads(output),
                            rounded(argument(test_case, "w_o"), precision),
                            precision);
  }
  return {.output = std::move(output), .weights = std::move(weights)};
}

// The largest errors of a submission and of the simulation, in units of the
// case's tolerance.
struct WorstRatios {
  double actual = 0.0;
  double simulated = 0.0;
};

void add_case(const Evidenced& evidenced, const Formula& formula,
              DType precision, WorstRatios& worst) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const CaseObservation& observation = *evidenced.observation;
  const reference::Attention& right = evidenced.test_case().expected;
  const IgnoredRows& ignored = evidenced.prepared->basis.ignored;
  const Tolerance limit = derive_tolerance(
      evidenced.prepared->basis.error_scale, unit_roundoff(precision));
  const reference::Attention simulated =
      simulate(*evidenced.prepared, precision);
  worst.actual = std::max(worst.actual,
                          fit_case(formula, evidenced, precision, never).ratio);
  const auto add = [&worst](double error, double unit) {
    worst.simulated = std::max(worst.simulated, error / unit);
  };
  if (has_deciding_weights(observation)) {
    add(max_error(simulated.weights, right.weights, ignored.weights),
        limit.weights);
  }
  if (observation.output) {
    add(max_error(simulated.output, right.output, ignored.output),
        limit.output);
  }
}

// The relative error of the scale that explains the outputs best: to first
// order an output moves by its derivative in log c. Several cases, one number.
struct OutputSlope {
  double products = 0.0;   // sum of residual times derivative
  double squares = 0.0;    // of the derivatives
  double residuals = 0.0;  // squared
  double count = 0.0;
  // The factor on the outputs of each case, less 1: what is rounded once in a
  // case, as a weight matrix is, moves all of its outputs.
  std::vector<double> gains;

  void add(const Evidenced& evidenced) {
    constexpr double step = 1e-3;
    const Formula shifted{.scale = {1.0 + step, SizeAxis::d_k, -0.5}};
    const PreparedCase& prepared = *evidenced.prepared;
    const Tensor& moved =
        prepared.predictions->output(shifted, prepared.inputs, DType::float64)
            .prediction.output;
    const Tensor& right = evidenced.test_case().expected.output;
    const Tensor& actual = *evidenced.observation->output;
    const auto& ignored = prepared.basis.ignored.output;
    const auto width = static_cast<std::size_t>(right.size(-1));
    double gain_products = 0.0;
    double gain_squares = 0.0;
    for (std::size_t i = 0; i < right.data.size(); ++i) {
      const bool counts = ignored.empty() || ignored[i / width] == 0;
      if (!counts || !std::isfinite(actual.data[i])) {
        continue;
      }
      const double derivative = (moved.data[i] - right.data[i]) / step;
      const double residual = actual.data[i] - right.data[i];
      products += residual * derivative;
      squares += derivative * derivative;
      residuals += residual * residual;
      gain_products += residual * right.data[i];
      gain_squares += right.data[i] * right.data[i];
      count += 1.0;
    }
    if (gain_squares > 0.0) {
      gains.push_back(gain_products / gain_squares);
    }
  }

  // A common factor on the outputs is an epsilon, or a weight dropped. Rounding
  // is as often up as down: four standard errors between cases, and a little.
  bool has_gain(DType precision) const {
    const auto n = static_cast<double>(gains.size());
    const double mean = std::accumulate(gains.begin(), gains.end(), 0.0) / n;
    double scatter = 0.0;
    for (const double gain : gains) {
      scatter += (gain - mean) * (gain - mean);
    }
    return std::abs(mean) >
           4.0 * std::sqrt(scatter) / n + unit_roundoff(precision) / 16.0;
  }
};

// A scale that is off by 1 % would be seen, and none is.
bool have_right_scale(const std::vector<Evidenced>& with_outputs,
                      DType precision) {
  constexpr double largest_uncertainty = 0.01;
  const double u = unit_roundoff(precision);
  OutputSlope slope;
  for (const Evidenced& evidenced : with_outputs) {
    slope.add(evidenced);
  }
  if (slope.count < 2.0 || slope.squares == 0.0) {
    return false;
  }
  const double noise = 4.0 * std::sqrt(slope.residuals / slope.count);
  const double error = slope.products / slope.squares;
  const double uncertainty = noise / std::sqrt(slope.squares);
  return !slope.has_gain(precision) && uncertainty < largest_uncertainty &&
         std::abs(error) <= uncertainty + 2.0 * u;
}

bool outputs_have_right_scale(std::vector<Evidenced> cases, DType precision) {
  std::erase_if(cases, [&](const Evidenced& evidenced) {
    return !is_silent(*evidenced.observation) ||
           !evidenced.observation->output ||
           !is_informative(*evidenced.prepared, unit_roundoff(precision));
  });
  return have_right_scale(cases, precision);
}

// Root of the mean square of a - b over rows that count.
double mean_error(const Tensor& a, const Tensor& b,
                  const std::vector<std::uint8_t>& ignored) {
  const auto width = static_cast<std::size_t>(a.size(-1));
  double squares = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    if (ignored.empty() || ignored[i / width] == 0) {
      squares += (a.data[i] - b.data[i]) * (a.data[i] - b.data[i]);
      count += 1.0;
    }
  }
  return count == 0.0 ? 0.0 : std::sqrt(squares / count);
}

// Output errors of a case in units of its largest output.
struct OutputErrors {
  double actual = 0.0;  // the largest
  double simulated = 0.0;
  double actual_mean = 0.0;
  double simulated_mean = 0.0;

  // The textbook calculation rounds as often as anyone; on average errors do
  // not scatter as the largest ones do.
  bool are_alike(double u) const {
    return actual <= 4.0 * (simulated + u) &&
           actual_mean <= 2.0 * (simulated_mean + u);
  }
};

OutputErrors output_errors(const Evidenced& evidenced, DType precision) {
  const Tensor& right = evidenced.test_case().expected.output;
  const auto& ignored = evidenced.prepared->basis.ignored.output;
  const double size = largest_finite(right);
  const Tensor simulated = simulate(*evidenced.prepared, precision).output;
  return {.actual =
              max_error(*evidenced.observation->output, right, ignored) / size,
          .simulated = max_error(simulated, right, ignored) / size,
          .actual_mean =
              mean_error(*evidenced.observation->output, right, ignored) / size,
          .simulated_mean = mean_error(simulated, right, ignored) / size};
}

double row_total(const Tensor& weights, std::size_t row) {
  const auto m = static_cast<std::size_t>(weights.size(-1));
  double total = 0.0;
  for (std::size_t i = row * m; i < (row + 1) * m; ++i) {
    total += weights.data[i];
  }
  return total;
}

}  // namespace

std::vector<DType> lower_precisions(DType interface_precision) {
  switch (interface_precision) {
    case DType::float64:
    case DType::integer:
    case DType::boolean:
      return {DType::float32, DType::float16, DType::bfloat16};
    case DType::float32:
      return {DType::float16, DType::bfloat16};
    case DType::float16:
    case DType::bfloat16:
      break;
  }
  return {};
}

bool is_on_grid(const std::vector<Evidenced>& cases, DType precision) {
  bool seen = false;
  for (const Evidenced& evidenced : cases) {
    const CaseObservation& observation = *evidenced.observation;
    const bool use_weights = has_deciding_weights(*evidenced.observation);
    if (!is_silent(observation) || (!use_weights && !observation.output) ||
        !is_informative(*evidenced.prepared, unit_roundoff(precision))) {
      continue;
    }
    seen = true;
    if (!tensor_on_grid(
            use_weights ? *observation.weights : *observation.output,
            precision)) {
      return false;
    }
  }
  return seen;
}

bool rounding_shows(const std::vector<Evidenced>& cases, DType precision) {
  const double least = unit_roundoff(precision) / 16.0;
  return std::ranges::any_of(cases, [&](const Evidenced& evidenced) {
    const CaseObservation& observation = *evidenced.observation;
    const Case& test_case = evidenced.test_case();
    const IgnoredRows& ignored = evidenced.prepared->basis.ignored;
    if (!is_silent(observation) ||
        !is_informative(*evidenced.prepared, unit_roundoff(precision))) {
      return false;
    }
    return (has_deciding_weights(*evidenced.observation) &&
            max_error(*observation.weights, test_case.expected.weights,
                      ignored.weights) >= least) ||
           (observation.output &&
            max_error(*observation.output, test_case.expected.output,
                      ignored.output) >= least);
  });
}

bool rounding_explains(const std::vector<Evidenced>& cases,
                       const Formula& formula, DType precision) {
  WorstRatios worst;
  for (const Evidenced& evidenced : cases) {
    if (is_silent(*evidenced.observation) &&
        is_informative(*evidenced.prepared, unit_roundoff(precision))) {
      add_case(evidenced, formula, precision, worst);
    }
  }
  return worst.actual <= 4.0 * worst.simulated;
}

bool is_rounded_output(const std::vector<Evidenced>& cases, DType precision) {
  constexpr std::size_t fewest = 4;
  constexpr double useful = 0.05;
  const double u = unit_roundoff(precision);
  std::vector<Evidenced> quiet;
  for (const Evidenced& evidenced : cases) {
    const CaseObservation& observation = *evidenced.observation;
    if (!is_silent(observation)) {
      return false;  // rounding raises nothing
    }
    if (!observation.output || has_deciding_weights(observation)) {
      continue;
    }
    const OutputErrors errors = output_errors(evidenced, precision);
    if (!(errors.simulated <= useful)) {
      continue;  // overflows, or drowns in rounding: it says nothing
    }
    if (!errors.are_alike(u) ||
        !tensor_on_grid(*observation.output, precision)) {
      return false;
    }
    quiet.push_back(evidenced);
  }
  return quiet.size() >= fewest && have_right_scale(quiet, precision);
}

bool rows_sum_to_one(const std::vector<Evidenced>& cases, DType precision) {
  const double u = unit_roundoff(precision);
  double sum = 0.0;
  double squares = 0.0;
  double rows = 0.0;
  for (const Evidenced& evidenced : cases) {
    if (!has_deciding_weights(*evidenced.observation) ||
        !is_informative(*evidenced.prepared, u)) {
      continue;
    }
    const Tensor& weights = *evidenced.observation->weights;
    const auto& ignored = evidenced.prepared->basis.ignored.weights;
    const auto m = static_cast<std::size_t>(weights.size(-1));
    for (std::size_t row = 0; row * m < weights.data.size(); ++row) {
      const double total = row_total(weights, row);
      const bool counts = ignored.empty() || ignored[row] == 0;
      if (!counts || !std::isfinite(total) || total == 0.0) {
        continue;  // 0/0, or the zeros in its place: no rounding
      }
      sum += total - 1.0;
      squares += (total - 1.0) * (total - 1.0);
      rows += 1.0;
    }
  }
  // Rounding is as often up as down: four standard errors, and a little for a
  // format whose rows are all exact. A harmless epsilon makes rows smaller.
  const double mean = rows == 0.0 ? 0.0 : sum / rows;
  const double error = rows == 0.0 ? 0.0 : std::sqrt(squares) / rows;
  const double noise = 4.0 * error + u / 16.0;
  return mean <= noise && mean >= -noise - largest_harmless_epsilon;
}

bool hides_fully(const std::vector<Evidenced>& cases, DType precision) {
  const double u = unit_roundoff(precision);
  return std::ranges::all_of(cases, [u](const Evidenced& evidenced) {
    return !has_deciding_weights(*evidenced.observation) ||
           !is_informative(*evidenced.prepared, u) || !leaks(evidenced, 0.0);
  });
}

bool scale_is_right(const std::vector<Evidenced>& cases, DType precision) {
  const double u = unit_roundoff(precision);
  double weights = 0.0;
  double mean = 0.0;
  double variance = 0.0;
  for (const ScalePoint& point : measure_scale(cases, precision)) {
    const double right =
        1.0 / std::sqrt(static_cast<double>(point.dimensions.d_k));
    // A score is known to u |z|, so loud cases know their slope badly.
    const double spread = 1.0 + point.largest_score;
    const double weight = 1.0 / (spread * spread);
    weights += weight;
    mean += weight * (point.slope.value / right - 1.0);
    variance += weight * weight *
                (std::pow(4.0 * point.slope.standard_error / right, 2) +
                 std::pow(2.0 * u * spread, 2));
  }
  if (weights == 0.0) {
    // Without a slope float32 is tight enough by itself; half precision is not.
    return precision == DType::float32 ||
           outputs_have_right_scale(cases, precision);
  }
  return std::abs(mean) <= std::sqrt(variance);
}

const char* precision_note(DType precision) {
  return precision == DType::float32 ? "single-precision" : "half-precision";
}

}  // namespace grader
