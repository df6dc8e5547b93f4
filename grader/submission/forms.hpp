// SPDX-License-Identifier: MIT
// Which form a submission has, by the ending of its name.
#pragma once

#include <optional>
#include <string_view>

#include "grader/submission/submission.hpp"

namespace grader {

// ".py, .ipynb, ... files, folders of them, and archives (.zip, ...)": what
// this version grades, in words.
extern const std::string_view supported_forms;

// Of a file by its name, letter case apart; Form::other where the ending says
// nothing. Never Form::folder.
Form form_of(std::string_view name);

// A file of such a name may hold the functions that are graded.
bool is_candidate(std::string_view name);

// A file of such a name holds other files.
bool is_archive(std::string_view name);

}  // namespace grader
