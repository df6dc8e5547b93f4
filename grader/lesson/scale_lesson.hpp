// SPDX-License-Identifier: MIT
// The demonstration of what dividing by sqrt(d_k) is for.
#pragma once

#include "grader/lesson/lesson.hpp"
#include "grader/lesson/scale_study.hpp"

namespace grader {

Lesson scale_lesson(const ScaleStudy& study);

}  // namespace grader
