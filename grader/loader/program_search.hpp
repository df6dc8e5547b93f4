// SPDX-License-Identifier: MIT
// Finding the helper programs of this machine: interpreters and compilers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace grader {

// Absolute path of an executable: `name` on PATH, or itself if it has a slash.
// Links are not resolved: an environment's python is one.
std::optional<std::filesystem::path> find_program(const std::string& name);

// The value of an environment variable, empty where it is not set.
std::string environment_variable(const std::string& name);

// The environment of the grader itself, for programs that the user chose.
std::vector<std::string> own_environment();

}  // namespace grader
