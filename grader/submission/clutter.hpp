// SPDX-License-Identifier: MIT
// What lies about in the folders that people hand in.
#pragma once

#include <string_view>

namespace grader {

// Names are relative to the folder that is the submission, with "/" between
// folders; that folder's own name does not count.

// Not even read: hidden files, caches, virtual environments, what builds leave.
bool is_clutter(std::string_view relative_name);

// Read, for helpers may be imported from there, but no candidate: tests and
// set-up files.
bool is_test_file(std::string_view relative_name);

// A folder that holds a file of this name is a virtual environment, clutter by
// whatever name.
constexpr std::string_view environment_mark = "pyvenv.cfg";

}  // namespace grader
