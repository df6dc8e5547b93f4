// SPDX-License-Identifier: MIT
// A folder that is one submission. No link is followed, whatever is exchanged
// for one meanwhile; clutter (clutter.hpp) is not even looked into.
#pragma once

#include <filesystem>

#include "grader/submission/limits.hpp"
#include "grader/submission/submission.hpp"

namespace grader {

// `folder` itself must be no link either. A link, a pipe, a socket or a device
// outside the clutter spoils the whole, as does what is over a limit; two hard
// links are two files.
FilesOrProblem read_folder(const std::filesystem::path& folder,
                           const ReadLimits& limits = {});

}  // namespace grader
