// SPDX-License-Identifier: MIT
// What must be known of a zip archive before libarchive sees it: it allocates
// every entry of the list at the archive's end at once, cuts a name at NUL, and
// takes names from before the data, whatever the list says.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "grader/submission/submission.hpp"

namespace grader {

std::optional<Problem> check_zip_directory(std::string_view archive,
                                           std::size_t most_entries);

}  // namespace grader
