// SPDX-License-Identifier: MIT
// The demonstration of what training makes of a missing scale.
#pragma once

#include "grader/lesson/lesson.hpp"
#include "grader/lesson/training_study.hpp"

namespace grader {

Lesson training_lesson(const TrainingStudy& study);

}  // namespace grader
