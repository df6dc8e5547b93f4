// SPDX-License-Identifier: MIT
// The demonstration of K.T against swapping the last two axes.
#pragma once

#include "grader/lesson/lesson.hpp"
#include "grader/lesson/transpose_study.hpp"

namespace grader {

Lesson transpose_lesson(const TransposeStudy& study);

}  // namespace grader
