// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace grader {

// With everything in it, as far as it can be removed: a submission may have
// taken the permissions away from folders of its own.
void remove_folder(const std::filesystem::path& folder);

}  // namespace grader
