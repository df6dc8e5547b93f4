// SPDX-License-Identifier: MIT
// What a host says is in the submission, as JSON; hostile.
#pragma once

#include <string>
#include <variant>

#include "grader/loader/program.hpp"

namespace grader {

// The description, or what is wrong with the text.
std::variant<Description, std::string> parse_description(
    const std::string& text);

}  // namespace grader
