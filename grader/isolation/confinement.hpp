// SPDX-License-Identifier: MIT
// What a program that is not trusted may see and do. docs/isolation.md has the
// theory: which processes there are, with which rights, who may kill whom.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "grader/isolation/level.hpp"
#include "grader/system/memory_kills.hpp"

namespace grader {

struct SpawnRequest;

// The isolation of a run.
struct Isolation {
  IsolationLevel level = IsolationLevel::level0;
  std::filesystem::path keeper;               // the program attngrade-cell
  std::filesystem::path fork_library{};       // attngrade-fork.so
  std::vector<std::filesystem::path> hidden;  // the grader's own files
  std::filesystem::path counters = kernel_counters;  // of the machine
};

// Of what runs submissions, beside what they may take themselves: a backstop
// for what the limit of the address space does not count.
constexpr std::uint64_t memory_of_runtime = std::uint64_t{1} << 30U;  // bytes

// Of one program, beside what every program needs of the system.
struct Confinement {
  std::vector<std::filesystem::path> shown;  // read-only; may not exist
  // An empty, private, bounded folder; empty: the working directory.
  std::filesystem::path work;
  std::uint64_t disk = std::uint64_t{64} << 20U;  // bytes in `work` and /tmp
  // Threads, too: what libraries start on a large machine must fit.
  std::uint64_t processes = 512;
  // A file of `work` that is there afterwards, if the program ended with status
  // 0. It must not exist before.
  std::filesystem::path taken;
  bool may_start_programs = false;  // compilers do
  bool is_server = false;           // makes cells of its own within this one
  // Of all processes together, files in memory included; 0: not limited here.
  std::uint64_t memory = 0;
};

// The request for the same program in a cell. At L0 the request itself.
SpawnRequest confine(SpawnRequest request, const Isolation& isolation,
                     const Confinement& confinement);

// Likewise, for a copy of a fork server: its argv is what it is told.
SpawnRequest confine_copy(SpawnRequest request, const Isolation& isolation,
                          const Confinement& confinement);

}  // namespace grader
