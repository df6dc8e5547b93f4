// SPDX-License-Identifier: MIT
// The first process of a cell: makes it, starts the inmate in it, reports. When
// it dies the kernel kills whatever is left in the cell.
#pragma once

#include <vector>

#include "grader/isolation/cell/filter.hpp"
#include "grader/isolation/cell/options.hpp"
#include "grader/isolation/cell/root.hpp"
#include "grader/system/file_descriptor.hpp"

namespace grader {

// What the keeper has opened outside.
struct Opened {
  std::vector<Tree> trees;
  FileDescriptor result;  // for the file that is taken out, if there is one
};

// Goes on when `gate`, a pipe, is closed at its other end: it has an identity
// then. Does not end by itself once the inmate runs; returns in the inmate, if
// that is a copy of this process, and without any rights. Throws Error.
void guard(const CellOptions& options, Opened opened, FileDescriptor gate,
           const FilterProgram& filter_of_copy = {});

}  // namespace grader
