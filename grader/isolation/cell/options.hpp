// SPDX-License-Identifier: MIT
// The command line of attngrade-cell: written by confine(), so trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/system/child.hpp"

namespace grader {

struct CellOptions {
  // Files and folders that are there, read-only, beside those of every cell;
  // one that does not exist is not there.
  std::vector<std::filesystem::path> shown;
  std::vector<std::filesystem::path> hidden;  // folders that look empty
  std::filesystem::path work;                 // on the scratch disk
  std::filesystem::path folder;               // working directory
  // Below `work`: copied out of the cell when the program ends with status 0.
  std::filesystem::path taken;
  std::uint64_t disk = std::uint64_t{64} << 20U;  // bytes of the scratch disk
  std::uint64_t files = 4096;                     // on the scratch disk
  std::uint64_t memory = 0;           // bytes of all processes; 0: not limited
  std::vector<ResourceLimit> limits;  // of the program
  bool may_start_programs = false;
  bool has_namespaces = true;
  // A program of the grader's own that makes cells within its own: it keeps the
  // system calls for that.
  bool is_server = false;
  // The inmate is a copy of the process that makes the cell, which is then told
  // `program`; else that is started, argv[0] an absolute path.
  bool is_copy = false;
  bool is_confined = true;  // false: limits only, and for copies alone
  std::vector<std::string> program;
};

constexpr const char* cell_usage =
    "usage: attngrade-cell --work FOLDER [--in FOLDER] [--show PATH]...\n"
    "                      [--hide FOLDER]... [--take FILE] [--disk BYTES]\n"
    "                      [--files N] [--memory BYTES]\n"
    "                      [--limit RESOURCE SOFT HARD]...\n"
    "                      [--programs] [--no-namespaces] [--server]\n"
    "                      -- PROGRAM [ARGUMENT]...";

// Throws Error (usage).
CellOptions parse_cell_options(const std::vector<std::string>& words);

}  // namespace grader
