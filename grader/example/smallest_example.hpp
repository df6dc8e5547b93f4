// SPDX-License-Identifier: MIT
// The smallest input found on which a submission is clearly wrong: literal
// numbers that the grader made, so candidates may see all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

struct SmallestExample {
  std::vector<NamedTensor> arguments;   // in signature order, no mask
  std::optional<reference::Mask> mask;  // as it is handed over
  std::int64_t heads = 0;  // n_heads; 0: the task has no such thing
  std::string what;        // "weights" or "output"
  reference::Tensor expected;
  reference::Tensor actual;  // of the same shape; may hold NaN and infinities
  std::size_t row = 0;       // of the last axis: the one to look at
  double error = 0.0;        // largest in that row; infinite for NaN
  std::string worked;        // the right answer for that row, step by step
  std::vector<std::string> python;  // lines that repeat it
};

// The index of a row on the leading axes of its tensor: 0, 2.
std::vector<std::int64_t> row_position(const reference::Shape& shape,
                                       std::size_t row);

// The same as text: "[0, 2]".
std::string row_index(const reference::Shape& shape, std::size_t row);

// The numbers of one row.
std::vector<double> row_of(const reference::Tensor& tensor, std::size_t row);

}  // namespace grader
