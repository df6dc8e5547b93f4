// SPDX-License-Identifier: MIT
// The process outside of a cell: makes its namespaces, and closes it.
#pragma once

#include "grader/isolation/cell/options.hpp"

namespace grader {

// Returns when nothing of the cell is left: after SIGTERM, or after the death
// of its first process. Throws Error.
void keep(CellOptions options);

}  // namespace grader
