// SPDX-License-Identifier: MIT
// How wrong an answer to a small input is, and where to see it.
#pragma once

#include <optional>
#include <string>

#include "grader/worker/observe.hpp"

namespace grader {

struct Mismatch {
  std::string what;  // "weights" or "output"
  std::size_t row = 0;
  double error = 0.0;  // largest of that row
  bool is_finite = true;
  reference::Tensor actual;
};

// The worst row: of the weights where they are wrong by more than `least`, else
// of the output. Rows with NaN or an infinity count only where no other row is
// wrong by as much. Nothing when all is right, or nothing usable came back.
// Queries that may attend to nothing do not count.
std::optional<Mismatch> find_mismatch(const CaseObservation& observation,
                                      double least);

}  // namespace grader
