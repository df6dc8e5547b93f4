// SPDX-License-Identifier: MIT
#include "grader/diagnosis/precision.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/scale_law.hpp"

namespace grader {
namespace {

using reference::Tensor;

// Nearest number with `bits` significant bits; range is left alone, since a
// case whose scores overflow a format is no evidence in it.
double round_to_bits(double value, int bits) {
  if (!std::isfinite(value) || value == 0.0) {
    return value;
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)),
                    exponent - bits);
}

int significant_bits(DType precision) {
  switch (precision) {
    case DType::float64:
    case DType::integer:
    case DType::boolean:
      return 53;
    case DType::float32:
      return 24;
    case DType::float16:
      return 11;
    case DType::bfloat16:
      return 8;
  }
  return 53;
}

// Below this a float16 has fewer significant bits than its format promises.
constexpr double smallest_normal_float16 = 0x1p-14;
constexpr double smallest_subnormal_float16 = 0x1p-24;

double round_to(double value, DType precision) {
  if (precision == DType::float16 &&
      std::abs(value) < smallest_normal_float16) {
    return std::nearbyint(value / smallest_subnormal_float16) *
           smallest_subnormal_float16;
  }
  return round_to_bits(value, significant_bits(precision));
}

Tensor rounded(Tensor tensor, DType precision) {
  for (double& value : tensor.data) {
    value = round_to(value, precision);
  }
  return tensor;
}

bool tensor_on_grid(const Tensor& tensor, DType precision) {
  return std::ranges::all_of(tensor.data, [&](double value) {
    return !std::isfinite(value) || round_to(value, precision) == value;
  });
}

double dot_rounded(const double* a, const double* b, std::size_t width,
                   DType precision) {
  double sum = 0.0;
  for (std::size_t i = 0; i < width; ++i) {
    sum = round_to(sum + round_to(a[i] * b[i], precision), precision);
  }
  return sum;
}

// q k^T with every product and partial sum rounded; q and k have equal leading
// axes.
Tensor scores_rounded(const FormulaInputs& operands, DType precision) {
  const Tensor q = rounded(operands.q, precision);
  const Tensor k = rounded(operands.k, precision);
  reference::Shape shape = q.shape;
  shape.back() = k.size(-2);
  Tensor scores(shape);
  const auto n = static_cast<std::size_t>(q.size(-2));
  const auto m = static_cast<std::size_t>(k.size(-2));
  const auto width = static_cast<std::size_t>(q.size(-1));
  for (std::size_t cell = 0; cell < scores.data.size(); ++cell) {
    const std::size_t row = cell / m;
    const std::size_t key = (row / n) * m + cell % m;
    scores.data[cell] = dot_rounded(&q.data[row * width], &k.data[key * width],
                                    width, precision);
  }
  return scores;
}

// Weights of the textbook formula with each intermediate rounded.
Tensor weights_rounded(const PreparedCase& prepared, DType precision) {
  const Case& test_case = *prepared.test_case;
  Tensor z = scores_rounded(prepared.inputs, precision);
  const double root = round_to(
      std::sqrt(static_cast<double>(test_case.dimensions.d_k)), precision);
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
  return z;
}

bool case_is_explained(const Evidenced& evidenced, DType precision) {
  const CaseObservation& observation = *evidenced.observation;
  const Tensor& expected = evidenced.test_case().expected.weights;
  const auto& ignored = evidenced.prepared->basis.ignored.weights;
  const double simulated = max_error(
      weights_rounded(*evidenced.prepared, precision), expected, ignored);
  return max_error(*observation.weights, expected, ignored) <= 4.0 * simulated;
}

bool has_deciding_weights(const Evidenced& evidenced) {
  return evidenced.observation->weights &&
         weights_count(*evidenced.observation);
}

}  // namespace

std::vector<DType> lower_precisions(DType interface_precision) {
  switch (interface_precision) {
    case DType::float64:
    case DType::integer:
    case DType::boolean:
      return {DType::float32, DType::float16};
    case DType::float32:
      return {DType::float16};
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
    const bool use_weights = has_deciding_weights(evidenced);
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
    return has_deciding_weights(evidenced)
               ? max_error(*observation.weights, test_case.expected.weights,
                           ignored.weights) >= least
               : observation.output &&
                     max_error(*observation.output, test_case.expected.output,
                               ignored.output) >= least;
  });
}

bool rounding_explains(const std::vector<Evidenced>& cases, DType precision) {
  bool seen = false;
  for (const Evidenced& evidenced : cases) {
    if (!is_silent(*evidenced.observation) ||
        !has_deciding_weights(evidenced) ||
        !is_informative(*evidenced.prepared, unit_roundoff(precision))) {
      continue;
    }
    seen = true;
    if (!case_is_explained(evidenced, precision)) {
      return false;
    }
  }
  return seen;
}

bool hides_fully(const std::vector<Evidenced>& cases, DType precision) {
  const double u = unit_roundoff(precision);
  return std::ranges::all_of(cases, [u](const Evidenced& evidenced) {
    const std::optional<reference::Mask>& mask =
        evidenced.prepared->inputs.mask;
    return !mask || !has_deciding_weights(evidenced) ||
           !is_informative(*evidenced.prepared, u) ||
           largest_hidden(*evidenced.observation->weights, *mask,
                          evidenced.prepared->basis.ignored.weights) == 0.0;
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
  // Without a slope (saturated, or output only) the numbers themselves decide.
  return std::abs(mean) <= std::sqrt(variance) || weights == 0.0;
}

const char* precision_note(DType precision) {
  return precision == DType::float32 ? "single-precision" : "half-precision";
}

}  // namespace grader
