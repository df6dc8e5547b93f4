// SPDX-License-Identifier: MIT
// From the first process of a cell to the program in it, without any rights.
#pragma once

#include <optional>
#include <sys/types.h>

#include "grader/isolation/cell/filter.hpp"
#include "grader/isolation/cell/options.hpp"
#include "grader/system/file_descriptor.hpp"

namespace grader {

struct StartedInmate {
  pid_t pid = -1;
  // Asks whether it may become another program; closed where it just may.
  FileDescriptor exec_questions;
};

// Returns when the program runs. The caller no longer holds the descriptors
// that were for it. Nothing in a copy of the caller that is the inmate. Throws
// Error. The filter counts for copies, which are made by the hundred.
std::optional<StartedInmate> start_inmate(const CellOptions& options,
                                          const FilterProgram& filter_of_copy);

FilterProgram make_filter_of_copies();

// In a copy that nobody confines: its session, folder and limits alone.
void become_unconfined(const CellOptions& options);

}  // namespace grader
