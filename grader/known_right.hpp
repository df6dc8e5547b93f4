// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace grader {

// The text of known_right.py: numpy functions that are known to be right.
std::string_view known_right_source();

}  // namespace grader
