// SPDX-License-Identifier: MIT
// Paths of the grader's own folders mean nothing to a candidate: messages name
// the file as it was handed in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/loader/program.hpp"

namespace grader {

// Takes "FOLDER/" out of the text, for each of the folders in their order.
std::string without_folders(std::string text,
                            const std::vector<std::filesystem::path>& folders);

// A traceback or a message of a running program.
std::string without_staging(std::string text, const Program& program);

}  // namespace grader
