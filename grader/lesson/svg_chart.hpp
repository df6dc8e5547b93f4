// SPDX-License-Identifier: MIT
// A chart as SVG. Series differ by colour, by dashes and by marks, so that they
// are told apart in grey, too; each is named at its end.
#pragma once

#include <string>

#include "grader/lesson/lesson.hpp"

namespace grader {

std::string render_svg(const Chart& chart);

}  // namespace grader
