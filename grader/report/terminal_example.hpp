// SPDX-License-Identifier: MIT
// The smallest failing example in a terminal: the arguments, the row where it
// shows, and how the right numbers come about.
#pragma once

#include <string>

#include "grader/example/smallest_example.hpp"
#include "grader/report/terminal.hpp"

namespace grader {

// At most 12 lines; what is longer ends in "...".
std::string render_example(const SmallestExample& example,
                           const TerminalStyle& style);

}  // namespace grader
