// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/keeper.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/isolation/cell/identity.hpp"
#include "grader/isolation/cell/memory_group.hpp"
#include "grader/isolation/cell/namespaces.hpp"
#include "grader/isolation/cell/report.hpp"
#include "grader/isolation/cell/result_file.hpp"
#include "grader/isolation/cell/root.hpp"
#include "grader/isolation/cell/warden.hpp"
#include "grader/isolation/cell/work_folder.hpp"
#include "grader/system/file_descriptor.hpp"
#include "grader/system/group_kills.hpp"
#include "grader/system/keeper.hpp"

namespace grader {
namespace {

[[noreturn]] void run_warden(const CellOptions& options, Opened opened,
                             FileDescriptor gate) {
  try {
    if (options.has_namespaces && opened.trees.empty()) {
      opened.trees = open_trees(options);
    }
    guard(options, std::move(opened), std::move(gate));
  } catch (const std::exception& failure) {
    report_failure(failure.what());
  }
  _exit(1);
}

sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGCHLD);
  return signals;
}

void wait_for_warden(pid_t warden) {
  const sigset_t signals = awaited_signals();
  while (waitpid(warden, nullptr, WNOHANG) == 0) {
    int signal = 0;
    sigwait(&signals, &signal);
    if (signal == SIGTERM) {
      kill(warden, SIGKILL);
    }
  }
}

// They are this process's children, once those between are dead.
bool kill_children() {
  std::ifstream children("/proc/thread-self/children");
  pid_t child = 0;
  while (children >> child) {
    kill(child, SIGKILL);
  }
  return waitpid(-1, nullptr, 0) > 0 || errno == EINTR;
}

// In a namespace all the others are gone once the first process is reaped.
void close_cell(const CellOptions& options, pid_t warden) {
  wait_for_warden(warden);
  while (!options.has_namespaces && kill_children()) {
  }
}

// Those of the inmate are closed here later: where it has none of its own, the
// number must not be that of another one.
void occupy_low_numbers() {
  int number = 0;
  do {
    number = open("/dev/null", O_RDONLY | O_CLOEXEC);
  } while (number >= 0 && number < keeper_channel);
  close(number);
}

bool may_copy_mounts() {
  return FileDescriptor(
             open_tree(AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC))
      .is_open();
}

Opened open_outside(const CellOptions& options) {
  Opened opened;
  if (!options.has_namespaces) {
    give_to_inmate(options.work);
    return opened;
  }
  // Root sees everything only out here. In a container root may not copy
  // mounts, nor anybody else, but for the warden in its own namespace.
  if (geteuid() == 0 && may_copy_mounts()) {
    opened.trees = open_trees(options);
  }
  if (!options.taken.empty()) {
    opened.result = make_result_file(options.taken);
  }
  return opened;
}

}  // namespace

void keep(CellOptions options) {
  occupy_low_numbers();
  const sigset_t signals = awaited_signals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  // When the grader dies the cell is closed in order.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  prctl(PR_SET_CHILD_SUBREAPER, options.has_namespaces ? 0 : 1, 0, 0, 0);
  std::array<int, 2> ends{};
  check_step(pipe2(ends.data(), O_CLOEXEC) == 0, "make a pipe");
  FileDescriptor gate(ends[0]);
  FileDescriptor opener(ends[1]);
  std::optional<WorkFolder> work;
  if (!options.has_namespaces && options.taken.empty()) {
    work.emplace(options);
  }
  Opened opened = open_outside(options);
  std::optional<MemoryGroup> group;
  FileDescriptor open_group;
  if (options.memory > 0) {
    group.emplace(options.memory);
    open_group = group->open();
    report_bound(open_group.get());
  }
  const pid_t warden =
      options.has_namespaces ? clone_into(cell_namespaces).pid : fork();
  check_step(warden >= 0, "start the first process of a cell");
  if (warden == 0) {
    opener.close();
    run_warden(options, std::move(opened), std::move(gate));
  }
  opened = {};
  if (options.has_namespaces) {
    map_identity(warden);
  }
  if (group) {
    group->add(warden);
  }
  for (int number = 0; number < keeper_channel; ++number) {
    close(number);
  }
  gate.close();
  opener.close();
  close_cell(options, warden);
  work.reset();
  report_closed(group ? group_kills(open_group.get()) : 0);
}

}  // namespace grader
