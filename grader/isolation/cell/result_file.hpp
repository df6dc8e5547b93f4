// SPDX-License-Identifier: MIT
// The one file that comes out of a cell: what a compiler made.
#pragma once

#include <filesystem>

#include "grader/system/file_descriptor.hpp"

namespace grader {

// By the keeper, outside. Throws Error where there is one already.
FileDescriptor make_result_file(const std::filesystem::path& path);

// By the warden, inside, when nothing else runs there: `path` is hostile, in
// what it holds and in what it is.
void copy_result(const std::filesystem::path& path, const FileDescriptor& to);

}  // namespace grader
