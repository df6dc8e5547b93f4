// SPDX-License-Identifier: MIT
// Which entries of an archive are the submission, told from the list of them
// before anything is unpacked.
#pragma once

#include "grader/submission/archive_reader.hpp"
#include "grader/submission/gathering.hpp"

namespace grader {

struct ChosenEntry {
  std::size_t index = 0;
  std::string name;  // without a top folder that all have in common
};

// Counts what it looks at and what it passes over in `gathering`.
std::variant<std::vector<ChosenEntry>, Problem> choose_entries(
    const std::vector<ArchiveEntry>& entries, Gathering& gathering);

}  // namespace grader
