// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/memory_group.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "grader/isolation/cell/report.hpp"
#include "grader/system/error.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

const fs::path mount_point = "/sys/fs/cgroup";

constexpr std::string_view name_prefix = "attngrade-cell-";

bool write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text << std::flush;
  return stream.good();
}

// Where the line of the controller in /proc/self/cgroup says that this process
// is: "4:memory:/user" of version 1, "0::/user" of version 2.
std::vector<fs::path> own_groups() {
  std::vector<fs::path> groups;
  std::ifstream lines("/proc/self/cgroup");
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path below = fs::path(line.substr(second + 1)).relative_path();
    if (controllers == "memory") {
      groups.push_back(mount_point / "memory" / below);
    } else if (controllers.empty()) {
      groups.push_back(mount_point / below);
      groups.push_back(mount_point / "unified" / below);
    }
  }
  return groups;
}

// Those of keepers that were killed. One that is in use cannot be removed.
void sweep(const fs::path& parent) {
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t keeper = 0;
    if (name.starts_with(name_prefix) &&
        std::from_chars(name.data() + name_prefix.size(),
                        name.data() + name.size(), keeper)
                .ec == std::errc() &&
        kill(keeper, 0) != 0 && errno == ESRCH) {
      rmdir(entry.path().c_str());
    }
  }
}

bool limit_group(const fs::path& group, std::uint64_t bytes) {
  const std::string text = std::to_string(bytes);
  if (fs::exists(group / "memory.max")) {
    write_text(group / "memory.swap.max", "0");
    return write_text(group / "memory.max", text);
  }
  const bool is_set = write_text(group / "memory.limit_in_bytes", text);
  write_text(group / "memory.memsw.limit_in_bytes", text);  // if swap counts
  return is_set;
}

std::optional<fs::path> make_group(const fs::path& parent,
                                   std::uint64_t bytes) {
  const fs::path group =
      parent / (std::string(name_prefix) + std::to_string(getpid()));
  if (mkdir(group.c_str(), 0755) != 0) {
    return std::nullopt;
  }
  if (!limit_group(group, bytes)) {
    rmdir(group.c_str());
    return std::nullopt;
  }
  return group;
}

}  // namespace

MemoryGroup::MemoryGroup(std::uint64_t bytes) {
  for (const fs::path& parent : own_groups()) {
    sweep(parent);
    if (const auto group = make_group(parent, bytes)) {
      folder_ = *group;
      return;
    }
  }
  throw Error(Blame::environment,
              "cannot make a control group with a limit on memory: none below "
              "/sys/fs/cgroup can be written");
}

MemoryGroup::~MemoryGroup() {
  rmdir(folder_.c_str());
}

void MemoryGroup::add(pid_t process) {
  check_step(write_text(folder_ / "cgroup.procs", std::to_string(process)),
             "put the cell into its control group");
}

FileDescriptor MemoryGroup::open() const {
  return FileDescriptor(
      ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace grader
