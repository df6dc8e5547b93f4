// SPDX-License-Identifier: MIT
// Takes a private copy of a submission: read once, hashed, and from then on
// whatever happens to it on disk does not matter.
#pragma once

#include "grader/submission/limits.hpp"
#include "grader/submission/submission.hpp"

namespace grader {

// Fills in `files` and `sha256`, or the problem. Leaves a submission that
// already has a problem alone, but for its hash where it can be read.
//
// The hash of a file or archive is that of its bytes. That of a folder is the
// hash of a text with a line for each file that is read, by the bytes of the
// names: the hash of the file's bytes, two spaces, its name ("sha256sum").
void read_submission(Submission& submission);

}  // namespace grader
