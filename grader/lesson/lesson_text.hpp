// SPDX-License-Identifier: MIT
// A lesson on a terminal: 80 columns, no colour.
#pragma once

#include <string>

#include "grader/lesson/lesson.hpp"

namespace grader {

std::string render_text(const Lesson& lesson);

std::string render_text(const Table& table);

// Each series has a mark of its own.
std::string render_text(const Chart& chart);

}  // namespace grader
