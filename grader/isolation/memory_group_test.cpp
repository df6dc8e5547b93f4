// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/memory_group.hpp"

#include <cstdlib>
#include <fstream>

#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// Of folders and files like those of the kernel.
class Hierarchy {
 public:
  ~Hierarchy() { fs::remove_all(mount_); }

  void group(const std::string& name, const std::string& hands_on) const {
    fs::create_directories(mount_ / name);
    std::ofstream(mount_ / name / "cgroup.subtree_control") << hands_on << "\n";
  }

  std::vector<std::string> parents(const std::string& own) const {
    std::vector<std::string> names;
    for (const fs::path& parent : memory_parents(own, mount_)) {
      names.push_back(parent.lexically_relative(mount_).string());
    }
    return names;
  }

 private:
  fs::path mount_ = [] {
    std::string name = "/tmp/group-test-XXXXXX";
    return fs::path(mkdtemp(name.data()));
  }();
};

using Names = std::vector<std::string>;

TEST_CASE("in version 1 a cell's group is made in that of the grader",
          "[memory-group]") {
  const Hierarchy kernel;
  CHECK(kernel.parents("9:cpu,cpuacct:/\n4:memory:/user/ana\n") ==
        Names{"memory/user/ana"});
}

TEST_CASE("in version 2 it is made where the limit is handed on",
          "[memory-group]") {
  const Hierarchy kernel;
  const std::string own = "0::/user.slice/app.slice/run.scope\n";
  kernel.group("", "cpu memory pids");
  kernel.group("user.slice", "memory pids");
  kernel.group("user.slice/app.slice", "memory pids");
  kernel.group("user.slice/app.slice/run.scope", "");
  CHECK(kernel.parents(own) ==
        Names{"user.slice/app.slice", "user.slice", "."});
  kernel.group("user.slice/app.slice/run.scope", "memory");
  CHECK(kernel.parents(own).front() == "user.slice/app.slice/run.scope");
  kernel.group("", "cpu memory.max");
  CHECK(kernel.parents("0::/\n").empty());
}

TEST_CASE("both versions may be there, and neither", "[memory-group]") {
  const Hierarchy kernel;
  kernel.group("unified", "memory");
  CHECK(kernel.parents("4:memory:/a\n0::/b\n") == Names{"memory/a", "unified"});
  CHECK(kernel.parents("").empty());
  CHECK(kernel.parents("nonsense\n1:\n\n").empty());
}

TEST_CASE("no group outside of the mount point is looked at",
          "[memory-group]") {
  const Hierarchy kernel;
  kernel.group("", "memory");
  CHECK(kernel.parents("0::/../../..\n") == Names{"."});
}

}  // namespace
}  // namespace grader
