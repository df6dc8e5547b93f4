// SPDX-License-Identifier: MIT
// Which functions and classes of a submission use which.
#pragma once

#include <vector>

#include "grader/loader/program.hpp"

namespace grader {

// Does the text of the one name the other? Of Class.method the class counts.
bool calls(const Callable& caller, const Callable& helper);

// A class that is derived from the other, directly.
bool is_derived(const Callable& callable, const Callable& base);

// What the callable calls or builds, and what that calls, and so on; itself,
// the first, too.
std::vector<const Callable*> all_called_by(
    const Callable& caller, const std::vector<Callable>& callables);

}  // namespace grader
