// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/inmate_start.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "grader/isolation/cell/descriptor_passing.hpp"
#include "grader/isolation/cell/filter.hpp"
#include "grader/isolation/cell/identity.hpp"
#include "grader/isolation/cell/landlock.hpp"
#include "grader/isolation/cell/process_count.hpp"
#include "grader/isolation/cell/report.hpp"
#include "grader/isolation/cell/root.hpp"
#include "grader/system/error.hpp"
#include "grader/system/file_descriptor.hpp"
#include "grader/system/keeper.hpp"

namespace grader {
namespace {

// Threads, too. Without a namespace those of the user's other programs count.
ResourceLimit beside_others(ResourceLimit limit, rlim_t others) {
  if (limit.resource == RLIMIT_NPROC) {
    limit.soft += others;
    limit.hard += others;
  }
  return limit;
}

// Not above the hard limit that the grader itself runs under.
void set_limit(const ResourceLimit& wanted) {
  const auto resource = static_cast<__rlimit_resource>(wanted.resource);
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_max = std::min(limit.rlim_max, wanted.hard);
  limit.rlim_cur = std::min(limit.rlim_max, wanted.soft);
  check_step(setrlimit(resource, &limit) == 0, "set a limit in the cell");
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (const std::string& word : words) {
    result.push_back(const_cast<char*>(word.c_str()));
  }
  result.push_back(nullptr);
  return result;
}

void close_at_exec(unsigned first) {
  check_step(syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0,
             "close the files that are not the submission's");
}

void unblock_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

FileRules rules_of(const CellOptions& options) {
  FileRules rules{visible_paths(options), device_paths()};
  rules.writable.push_back(options.work);
  return rules;
}

[[noreturn]] void become_program(const CellOptions& options,
                                 const Filter& filter, int talk) {
  setsid();
  unblock_signals();
  check_step(chdir(options.folder.c_str()) == 0,
             "enter " + options.folder.string() + " in the cell");
  check_step(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0,
             "forbid new privileges");
  drop_capabilities();
  close_at_exec(keeper_channel);
  const std::vector<char*> argv = pointers_to(options.program);
  const rlim_t others = options.has_namespaces ? 0 : processes_of_user();
  if (!options.has_namespaces) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    restrict_files(rules_of(options));
    forbid_touching_others(filter);
  }
  const FileDescriptor questions = load_filter(filter);
  if (questions.is_open()) {
    pass_file(talk, questions.get());
  }
  // After the file was passed: the kernel counts files on their way by user,
  // and all cells are one, against this limit of the sender. What submissions
  // leave on its way stays below it, and would keep others from being started.
  for (const ResourceLimit& limit : options.limits) {
    set_limit(beside_others(limit, others));
  }
  execve(argv[0], argv.data(), environ);
  fail_step("start " + options.program.front() + " in the cell");
}

struct Sockets {
  FileDescriptor inmate;
  FileDescriptor warden;
};

Sockets make_sockets() {
  std::array<int, 2> ends{};
  check_step(
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0,
      "make a socket pair");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// The socket is closed by exec: what comes before is why there was none, or the
// descriptor on which exec asks.
FileDescriptor wait_for_exec(int talk) {
  FileDescriptor questions;
  while (true) {
    Passed passed = receive_passed(talk);
    if (passed.is_end) {
      return questions;
    }
    if (!passed.file.is_open()) {
      throw Error(Blame::environment, passed.text);
    }
    questions = std::move(passed.file);
    answer_exec(questions.get(), Admission::granted);
  }
}

}  // namespace

StartedInmate start_inmate(const CellOptions& options) {
  const Filter filter = make_filter(options.may_start_programs);
  Sockets talk = make_sockets();
  const pid_t pid = fork();
  check_step(pid >= 0, "start a process in the cell");
  if (pid == 0) {
    try {
      become_program(options, filter, talk.inmate.get());
    } catch (const std::exception& failure) {
      pass_text(talk.inmate.get(), failure.what());
    }
    _exit(1);
  }
  talk.inmate.close();
  for (int number = 0; number < keeper_channel; ++number) {
    close(number);
  }
  return {pid, wait_for_exec(talk.warden.get())};
}

}  // namespace grader
