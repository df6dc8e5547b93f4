// SPDX-License-Identifier: MIT
// Matching of C symbols: their names are their signatures.
#pragma once

#include "grader/loader/program.hpp"

namespace grader {

// Tasks that have a C signature (contract, section 1).
bool has_native_form(const Task& task);

// NAME or NAME_f32, the former where there are both.
Matching match_native(const Description& description,
                      const std::vector<Task>& tasks,
                      const MatchOptions& options);

}  // namespace grader
