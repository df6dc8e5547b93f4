// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/memory_group.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/isolation/cell/report.hpp"
#include "grader/system/error.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view name_prefix = "attngrade-cell-";

bool write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text << std::flush;
  return stream.good();
}

// Of version 2, whether groups made in it can have a limit on memory. One that
// has processes of its own, as that of the grader has, hands none on.
bool hands_memory_on(const fs::path& group) {
  std::ifstream file(group / "cgroup.subtree_control");
  std::string word;
  while (file >> word) {
    if (word == "memory") {
      return true;
    }
  }
  return false;
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

std::vector<fs::path> from_inside_out(const fs::path& root,
                                      const fs::path& below) {
  std::vector<fs::path> groups = {root};
  for (const fs::path& name : below) {
    groups.push_back(groups.back() / name);
  }
  std::ranges::reverse(groups);
  return groups;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

std::vector<fs::path> memory_parents(const std::string& own,
                                     const fs::path& mount) {
  std::vector<fs::path> parents;
  std::istringstream lines(own);
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    // Seen from a namespace of groups it may begin with "/..".
    const fs::path below =
        fs::path(line.substr(second + 1)).lexically_normal().relative_path();
    if (controllers == "memory") {
      parents.push_back(mount / "memory" / below);
    } else if (controllers.empty()) {
      for (const fs::path& root : {mount, mount / "unified"}) {
        std::ranges::copy_if(from_inside_out(root, below),
                             std::back_inserter(parents), hands_memory_on);
      }
    }
  }
  return parents;
}

MemoryGroup::MemoryGroup(std::uint64_t bytes) {
  for (const fs::path& parent :
       memory_parents(text_of("/proc/self/cgroup"), "/sys/fs/cgroup")) {
    sweep(parent);
    if (const auto group = make_group(parent, bytes)) {
      folder_ = *group;
      return;
    }
  }
  throw Error(Blame::environment,
              "cannot make a control group with a limit on memory: of those "
              "around this process below /sys/fs/cgroup none can be written "
              "that hands the limit on");
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
