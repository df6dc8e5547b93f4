// SPDX-License-Identifier: MIT
// Small inputs of a task, smallest first: a handful of sizes, each of which
// shows what another hides (d_k = 4 cannot show d_k / 2, n = m = d_k many
// others), with small integers; then a few with scores so large that
// exponentials overflow.
#pragma once

#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

// With the right answers. Every query may attend to at least one key.
std::vector<Case> small_inputs(Kind kind, MaskMode mask_mode, int rank);

}  // namespace grader
