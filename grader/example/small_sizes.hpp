// SPDX-License-Identifier: MIT
// The sizes that are tried, in order.
#pragma once

#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

// n = m where the kind or the mask demands it. The first is the smallest, the
// last few only show what mixes leading axes.
std::vector<Dimensions> small_sizes(Kind kind, MaskMode mask_mode, int rank);

}  // namespace grader
