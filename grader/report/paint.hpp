// SPDX-License-Identifier: MIT
// Colours of the terminal (ECMA-48), which only repeat what the words say.
#pragma once

#include <string>
#include <string_view>

#include "grader/report/record.hpp"
#include "grader/report/terminal.hpp"

namespace grader {

enum class Colour { green, red, yellow, bold };

// The text as it is where the style has no colour.
std::string paint(std::string_view text, Colour colour,
                  const TerminalStyle& style);

Colour colour_of(Verdict verdict);

}  // namespace grader
