// SPDX-License-Identifier: MIT
#include "grader/diagnosis/least_squares.hpp"

#include <cmath>

namespace grader {

LeastSquares::LeastSquares(std::size_t unknowns)
    : unknowns_(unknowns), matrix_(unknowns * unknowns), right_(unknowns) {}

void LeastSquares::add(const std::vector<double>& row, double value,
                       double weight) {
  for (std::size_t i = 0; i < unknowns_; ++i) {
    const double left = weight * row[i];
    for (std::size_t j = 0; j <= i; ++j) {
      matrix_[i * unknowns_ + j] += left * row[j];
    }
    right_[i] += left * value;
  }
  degrees_ += 1.0;
}

std::optional<std::vector<double>> LeastSquares::solve() const {
  const std::vector<double> lower = factor();
  return lower.empty() ? std::nullopt : std::optional(substitute(lower));
}

// Cholesky; empty where some pivot is next to nothing.
std::vector<double> LeastSquares::factor() const {
  constexpr double negligible = 1e-10;  // of what a pivot was before
  const std::size_t n = unknowns_;
  std::vector<double> lower = matrix_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = lower[i * n + j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= lower[i * n + k] * lower[j * n + k];
      }
      if (i != j) {
        lower[i * n + j] = sum / lower[j * n + j];
      } else if (sum > negligible * matrix_[i * n + i]) {
        lower[i * n + i] = std::sqrt(sum);
      } else {
        return {};
      }
    }
  }
  return lower;
}

std::vector<double> LeastSquares::substitute(
    const std::vector<double>& lower) const {
  const std::size_t n = unknowns_;
  std::vector<double> x = right_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      x[i] -= lower[i * n + k] * x[k];
    }
    x[i] /= lower[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) {
      x[i] -= lower[k * n + i] * x[k];
    }
    x[i] /= lower[i * n + i];
  }
  return x;
}

}  // namespace grader
