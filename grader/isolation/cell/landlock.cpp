// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/landlock.hpp"

#include <array>
#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/isolation/cell/report.hpp"
#include "grader/system/file_descriptor.hpp"

namespace grader {
namespace {

// Newer than the headers of Linux 6.1; from its documentation,
// userspace-api/landlock.rst.
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;  // since version 4
  std::uint64_t scopes = 0;   // since version 6
};
constexpr std::uint64_t truncate_file = std::uint64_t{1} << 14U;
constexpr std::uint64_t control_device = std::uint64_t{1} << 15U;
constexpr std::uint64_t tcp = 3;                 // to bind and to connect
constexpr std::uint64_t others_and_signals = 3;  // abstract sockets, signals

constexpr std::uint64_t rights_of_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
    LANDLOCK_ACCESS_FS_READ_FILE | truncate_file | control_device;
constexpr std::uint64_t rights_to_read = LANDLOCK_ACCESS_FS_EXECUTE |
                                         LANDLOCK_ACCESS_FS_READ_FILE |
                                         LANDLOCK_ACCESS_FS_READ_DIR;

// By version, from 1 on: it and those before.
constexpr std::array<std::uint64_t, 5> added_rights = {
    LANDLOCK_ACCESS_FS_REFER - 1, LANDLOCK_ACCESS_FS_REFER, truncate_file, 0,
    control_device};

std::uint64_t known_rights(long version) {
  std::uint64_t rights = 0;
  for (std::size_t i = 0;
       i < added_rights.size() && static_cast<long>(i) < version; ++i) {
    rights |= added_rights[i];
  }
  return rights;
}

void allow(int ruleset, const std::filesystem::path& path,
           std::uint64_t rights) {
  const FileDescriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || fstat(file.get(), &status) != 0) {
    return;  // not there, or not for us: then not for the submission either
  }
  landlock_path_beneath_attr rule{};
  rule.allowed_access =
      S_ISDIR(status.st_mode) ? rights : rights & rights_of_files;
  rule.parent_fd = file.get();
  check_step(syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
                     &rule, 0) == 0,
             "allow a submission " + path.string());
}

}  // namespace

void restrict_files(const FileRules& rules) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0,
                               LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) {
    return;
  }
  const std::uint64_t known = known_rights(version);
  const Ruleset wanted{known, version >= 4 ? tcp : 0,
                       version >= 6 ? others_and_signals : 0};
  const std::size_t size = version >= 6   ? sizeof wanted
                           : version >= 4 ? 2 * sizeof(std::uint64_t)
                                          : sizeof(std::uint64_t);
  const FileDescriptor ruleset(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &wanted, size, 0)));
  check_step(ruleset.is_open(), "make rules for files");
  for (const auto& path : rules.readable) {
    allow(ruleset.get(), path, rights_to_read & known);
  }
  for (const auto& path : rules.writable) {
    allow(ruleset.get(), path, known);
  }
  check_step(syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0,
             "lay down the rules for files");
}

}  // namespace grader
