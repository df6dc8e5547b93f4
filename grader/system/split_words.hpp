// SPDX-License-Identifier: MIT
// A command line that was typed as one text, cut into words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

// Words and quotes as in a POSIX shell (blanks, '...', "...", backslash), and
// nothing else of it: no variables, no patterns, no pipes, no comments. Absent
// where a quote is not closed or nothing follows the last backslash.
std::optional<std::vector<std::string>> split_words(std::string_view line);

}  // namespace grader
