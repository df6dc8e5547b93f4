// SPDX-License-Identifier: MIT
// An archive that is one submission, from memory to memory: zip, and tar as it
// is or packed by gzip, bzip2 or xz, whatever its name says.
#pragma once

#include <string_view>

#include "grader/submission/limits.hpp"
#include "grader/submission/submission.hpp"

namespace grader {

// One folder that all files are in is left off their names. Clutter is passed
// over (clutter.hpp). Links, devices, names that lead elsewhere, archives in
// the archive, passwords, names that come twice and what is over a limit spoil
// the whole; so does a damaged archive.
FilesOrProblem unpack(std::string_view archive, const ReadLimits& limits = {});

}  // namespace grader
