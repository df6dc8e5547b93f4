// SPDX-License-Identifier: MIT
// Takes a private copy of a submission: read once, hashed, and from then on
// whatever happens to the file on disk does not matter.
#pragma once

#include <cstdint>
#include <string>

#include "grader/submission/discover.hpp"

namespace grader {

constexpr std::uint64_t source_size_limit = std::uint64_t{8} << 20;    // bytes
constexpr std::uint64_t library_size_limit = std::uint64_t{64} << 20;  // bytes

// Fills in `files` and `sha256`, or the problem. Leaves a submission that
// already has a problem alone, but for its hash where it can be read.
void read_submission(Submission& submission);

}  // namespace grader
