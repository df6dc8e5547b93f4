// SPDX-License-Identifier: MIT
// The files that a cell sees: a root of its own, in memory, with little in it.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/isolation/cell/options.hpp"
#include "grader/system/file_descriptor.hpp"

namespace grader {

// A copy of a mounted tree, not mounted anywhere yet.
struct Tree {
  std::filesystem::path place;  // in the cell, the same as outside
  FileDescriptor tree;
};

// Read-only copies of what is shown, and of the devices. Before the identity of
// the grader's user is given up: the way to an interpreter or to the staged
// submission may lead through folders of theirs alone.
std::vector<Tree> open_trees(const CellOptions& options);

// What every cell shows, and what this one does, without what is inside
// another.
std::vector<std::filesystem::path> visible_paths(const CellOptions& options);
std::vector<std::filesystem::path> device_paths();

// In the mount namespace of the cell, with its identity. The old root is gone
// when this returns, and the new one cannot be written but for the scratch
// disk: /tmp and `work`.
void build_root(const CellOptions& options, const std::vector<Tree>& trees);

}  // namespace grader
