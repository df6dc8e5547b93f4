// SPDX-License-Identifier: MIT
// The rows to look at: where the first public case that failed is most wrong.
#pragma once

#include <optional>

#include "grader/report/record.hpp"
#include "grader/worker/observe.hpp"

namespace grader {

// Nothing for a correct record, or when no public case returned numbers.
std::optional<Exhibit> make_exhibit(const Observations& observations,
                                    const Match& match, const Record& record);

}  // namespace grader
