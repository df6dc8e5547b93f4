// SPDX-License-Identifier: MIT
// Observed numbers against expected ones, case by case: the weights first, then
// the output, then properties that need no reference.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "grader/comparison/tolerance.hpp"
#include "grader/worker/observe.hpp"

namespace grader {

// One flag a row of the last axis: 1 = the row does not count. `weights` is for
// (..., n, m), `output` for the rows of the output.
struct IgnoredRows {
  std::vector<std::uint8_t> weights;
  std::vector<std::uint8_t> output;
};

// Queries that may attend to nothing: the task fixes no policy for them.
IgnoredRows rows_without_keys(const Case& test_case);

// (..., H, n) flags of rows as (..., n): set where one of any head is.
std::vector<std::uint8_t> any_head(const std::vector<std::uint8_t>& rows,
                                   const Dimensions& dimensions);

// Rows of the weights seen from the output: with several heads merged, a query
// of the output is touched by its row in every head.
std::vector<std::uint8_t> output_rows(
    const Case& test_case, const std::vector<std::uint8_t>& weight_rows);

// What comparing needs of a case and does not depend on the submission.
struct CaseBasis {
  ErrorScale error_scale;
  IgnoredRows ignored;
};

CaseBasis make_basis(const Case& test_case);

// max |actual - expected| over the rows that count. Infinite where exactly one
// of the two is not finite: NaN is never close to a number. Both not finite
// counts as 0. The shapes are equal.
double max_error(const reference::Tensor& actual,
                 const reference::Tensor& expected,
                 const std::vector<std::uint8_t>& ignored_rows = {});

// The same, each cell in units of its size (empty: 1 each). Stops as soon as
// the error reaches `enough`: most hypotheses fail on the first cells.
double max_sized_error(const reference::Tensor& actual,
                       const reference::Tensor& expected,
                       const std::vector<double>& sizes,
                       const std::vector<std::uint8_t>& ignored_rows,
                       double enough = std::numeric_limits<double>::infinity());

// Largest |weight| of a hidden key; infinite for NaN.
double largest_hidden(const reference::Tensor& weights,
                      const reference::Mask& mask,
                      const std::vector<std::uint8_t>& ignored_rows);

struct Property {
  std::string name;  // "rows sum to 1"
  bool holds = true;
  double worst = 0.0;  // largest violation
  std::string detail;  // the case it is seen on, or empty
};

// Rows sum to 1, no negative weight, hidden cells exactly 0, output = weights @
// v, the same answer twice, inputs unchanged. A property that no case can show
// is left out.
// `bases` stand in the order of the observations; without one a case is left
// out.
std::vector<Property> check_properties(
    const Observations& observations,
    const std::vector<const CaseBasis*>& bases, double unit_roundoff);

}  // namespace grader
