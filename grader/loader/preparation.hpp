// SPDX-License-Identifier: MIT
// What comes of preparing a submission.
#pragma once

#include <variant>

#include "grader/loader/program.hpp"

namespace grader {

using Preparation = std::variant<Program, LoadFailure, CannotGrade>;

}  // namespace grader
