// SPDX-License-Identifier: MIT
// Reading files that may be anything: a pipe, a device, a directory, 5 GB.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace grader {

// The bytes of a regular file. Throws Error (usage): "cannot read PATH: cause".
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace grader
