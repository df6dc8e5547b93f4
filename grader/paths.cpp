// SPDX-License-Identifier: MIT
#include "grader/paths.hpp"

#include <cstdlib>
#include <vector>

#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

using std::filesystem::path;

bool is_there(const path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

// The first candidate that holds `member`; itself, where that is empty.
path first_with(const std::vector<path>& candidates, const path& member) {
  for (const path& candidate : candidates) {
    const path wanted = member.empty() ? candidate : candidate / member;
    if (candidate.is_absolute() && is_there(wanted)) {
      return candidate.lexically_normal();
    }
  }
  return {};
}

path program_folder() {
  std::error_code failure;
  const path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  return failure ? path() : program.parent_path();
}

// The source folder, for a program that has not been installed.
path source_folder() {
  const path inside =
      program_folder().lexically_relative(path(ATTNGRADE_BUILD_FOLDER));
  const bool is_installed = inside.empty() || *inside.begin() == "..";
  return is_installed ? path() : path(ATTNGRADE_SOURCE_FOLDER);
}

path if_in_build(const char* program) {
  return source_folder().empty() ? path() : path(program);
}

path named_data_folder() {
  const char* value = std::getenv("ATTNGRADE_DATA");
  if (value == nullptr || *value == '\0') {
    return {};
  }
  std::error_code ignored;
  return std::filesystem::absolute(value, ignored);
}

path checked_fixtures(const path& named) {
  path folder = std::filesystem::absolute(named);
  if (!is_there(folder / "tasks")) {
    throw Error(Blame::usage, "cannot use fixtures " +
                                  one_line(named.string()) +
                                  ": there is no folder " +
                                  one_line(named.string()) + "/tasks");
  }
  return folder;
}

path shipped_fixtures() {
  path found = first_with({named_data_folder() / "fixtures",
                           program_folder() / "../share/attngrade/fixtures",
                           source_folder() / "fixtures"},
                          "tasks");
  if (found.empty()) {
    throw Error(Blame::environment,
                "cannot find the fixtures: they are neither in $ATTNGRADE_DATA "
                "nor in ../share/attngrade beside the program; name their "
                "folder with --fixtures DIR");
  }
  return found;
}

}  // namespace

DataPaths find_data(const path& fixtures) {
  const path data = named_data_folder();
  const path program = program_folder();
  DataPaths paths;
  paths.fixtures =
      fixtures.empty() ? shipped_fixtures() : checked_fixtures(fixtures);
  paths.include_folder = first_with(
      {data / "include", program / "../include", source_folder() / "include"},
      "attngrade.h");
  paths.native_host = first_with(
      {data / "native_host", program / "../libexec/attngrade/native_host",
       if_in_build(ATTNGRADE_BUILD_NATIVE_HOST)},
      "");
  paths.cell = first_with(
      {data / "attngrade-cell", program / "../libexec/attngrade/attngrade-cell",
       if_in_build(ATTNGRADE_BUILD_CELL)},
      "");
  paths.fork_library =
      first_with({data / "attngrade-fork.so",
                  program / "../libexec/attngrade/attngrade-fork.so",
                  if_in_build(ATTNGRADE_BUILD_FORK)},
                 "");
  return paths;
}

}  // namespace grader
