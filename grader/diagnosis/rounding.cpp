// SPDX-License-Identifier: MIT
#include "grader/diagnosis/rounding.hpp"

#include <cmath>
#include <limits>

namespace grader {
namespace {

// Nearest number with `bits` significant bits.
double round_to_bits(double value, int bits) {
  if (!std::isfinite(value) || value == 0.0) {
    return value;
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)),
                    exponent - bits);
}

double round_to_float16(double value) {
  // Below the first a float16 has fewer significant bits than its format
  // promises; from the last on it rounds to infinity.
  constexpr double smallest_normal = 0x1p-14;
  constexpr double smallest_subnormal = 0x1p-24;
  constexpr double overflow = 65520.0;
  if (std::abs(value) < smallest_normal) {
    return std::nearbyint(value / smallest_subnormal) * smallest_subnormal;
  }
  if (std::abs(value) >= overflow) {
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  return round_to_bits(value, 11);
}

}  // namespace

double round_to(double value, DType precision) {
  switch (precision) {
    case DType::float64:
    case DType::integer:
    case DType::boolean:
      break;
    case DType::float32:
      return round_to_bits(value, 24);
    case DType::float16:
      return round_to_float16(value);
    case DType::bfloat16:
      return round_to_bits(value, 8);
  }
  return value;
}

reference::Tensor rounded(reference::Tensor tensor, DType precision) {
  if (precision != DType::float64) {
    for (double& value : tensor.data) {
      value = round_to(value, precision);
    }
  }
  return tensor;
}

}  // namespace grader
