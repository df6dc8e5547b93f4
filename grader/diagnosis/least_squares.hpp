// SPDX-License-Identifier: MIT
// Linear least squares by normal equations and Cholesky: right for tens of
// unknowns and well spread data, at half of the digits.
#pragma once

#include <optional>
#include <vector>

namespace grader {

class LeastSquares {
 public:
  explicit LeastSquares(std::size_t unknowns);

  // One equation row . x = value, with a weight.
  void add(const std::vector<double>& row, double value, double weight);
  // An unknown that was taken out of the equations beforehand.
  void lose_a_degree() { --degrees_; }
  // Equations less the unknowns that were taken out.
  double degrees() const { return degrees_; }

  // Nothing where the equations leave some unknown open.
  std::optional<std::vector<double>> solve() const;

 private:
  std::vector<double> factor() const;
  std::vector<double> substitute(const std::vector<double>& lower) const;

  std::size_t unknowns_;
  std::vector<double> matrix_;  // lower triangle, row by row
  std::vector<double> right_;
  double degrees_ = 0.0;
};

}  // namespace grader
