// SPDX-License-Identifier: MIT
// A lesson as one file that can be shown in class: no scripts, nothing loaded.
#pragma once

#include <string>

#include "grader/lesson/lesson.hpp"

namespace grader {

std::string render_html(const Lesson& lesson);

}  // namespace grader
