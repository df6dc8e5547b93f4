// SPDX-License-Identifier: MIT
// From the paths on the command line to the list of submissions. A folder is a
// collection: each file of a known form directly in it is one submission, and
// each subfolder that holds such a file, or that cannot be looked into. Of a
// subfolder that holds one archive and nothing else the archive is the
// submission. What cannot be graded but was meant to be stays in the list, with
// its problem; what is no submission at all is passed over and counted. Nothing
// is read yet.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/submission/submission.hpp"

namespace grader {

struct DiscoverOptions {
  bool recursive = false;  // subfolders are collections too
  bool as_one = false;     // a typed folder is one submission
};

struct Discovery {
  std::vector<Submission> submissions;  // paths as typed; names by their bytes
  std::vector<std::string> passed_over;
};

// A path that comes twice counts once. Throws Error (usage) on a path that does
// not exist and on a typed folder that cannot be listed.
Discovery discover(const std::vector<std::filesystem::path>& paths,
                   const DiscoverOptions& options = {});

}  // namespace grader
