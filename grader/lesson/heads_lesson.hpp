// SPDX-License-Identifier: MIT
// The demonstration of which width to divide by where there are heads.
#pragma once

#include "grader/lesson/heads_study.hpp"
#include "grader/lesson/lesson.hpp"

namespace grader {

Lesson heads_lesson(const HeadsStudy& study);

}  // namespace grader
