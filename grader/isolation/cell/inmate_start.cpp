// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/inmate_start.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include "grader/isolation/cell/filter.hpp"
#include "grader/isolation/cell/identity.hpp"
#include "grader/isolation/cell/landlock.hpp"
#include "grader/isolation/cell/process_count.hpp"
#include "grader/isolation/cell/report.hpp"
#include "grader/isolation/cell/root.hpp"
#include "grader/system/descriptor_passing.hpp"
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

// All but those that are the inmate's.
void close_others(unsigned flags) {
  check_step(syscall(SYS_close_range, keeper_channel, ~0U, flags) == 0,
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

void lead_own_session(const CellOptions& options) {
  setsid();
  unblock_signals();
  check_step(chdir(options.folder.c_str()) == 0,
             "enter " + options.folder.string() + " in the cell");
}

// As a program that has just been started is: its own files in /proc are open
// to it. The warden, whose copy it is, is not.
void own_its_files_in_proc() {
  check_step(prctl(PR_SET_DUMPABLE, 1) == 0, "hand /proc/self to the copy");
}

// If the kernel must kill something for want of memory, then not what the copy
// was made from. A cell without /proc goes without.
void offer_to_be_killed() {
  const FileDescriptor file(
      open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file.is_open()) {
    std::ignore = write(file.get(), "1000", 4);
  }
}

// Made before the inmate, which has less to lose then. Nothing for a server:
// its copies make cells, and have a filter of their own.
Filter filter_for(const CellOptions& options) {
  if (options.is_server || options.is_copy) {
    return {};
  }
  return make_filter(options.may_start_programs ? Programs::any
                                                : Programs::one);
}

void give_up_privileges() {
  check_step(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0,
             "forbid new privileges");
  drop_capabilities();
}

void set_limits(const CellOptions& options, rlim_t others) {
  for (const ResourceLimit& limit : options.limits) {
    set_limit(beside_others(limit, others));
  }
}

[[noreturn]] void fail_to_start(const CellOptions& options) {
  std::string what = "start " + options.program.front() + " in the cell";
  if (errno == EACCES && !options.has_namespaces) {
    what += " as user " + std::to_string(geteuid()) +
            ", who must be able to read it and to enter its folders";
  }
  fail_step(what);
}

// `talk` is where its questions are passed to.
[[noreturn]] void become_program(const CellOptions& options,
                                 const Filter& filter, int talk) {
  const std::vector<char*> argv = pointers_to(options.program);
  lead_own_session(options);
  close_others(CLOSE_RANGE_CLOEXEC);
  give_up_privileges();
  const rlim_t others = options.has_namespaces ? 0 : processes_of_user();
  if (!options.has_namespaces) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    restrict_files(rules_of(options));
    forbid_touching_others(filter);
  }
  if (filter != nullptr) {
    const FileDescriptor questions = load_filter(filter);
    if (questions.is_open()) {
      send_packet(talk, "", {questions.get()});
    }
  }
  // After the file was passed: the kernel counts files on their way by user,
  // and all cells are one, against this limit of the sender. What submissions
  // leave on its way stays below it, and would keep others from being started.
  set_limits(options, others);
  execve(argv[0], argv.data(), environ);
  fail_to_start(options);
}

void become_copy(const CellOptions& options, const FilterProgram& filter) {
  lead_own_session(options);
  own_its_files_in_proc();
  offer_to_be_killed();
  give_up_privileges();
  load_filter(filter);
  set_limits(options, 0);
  close_others(0);
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

// The socket is closed when the inmate is one: what comes before is why there
// was none, or the descriptor on which exec asks.
FileDescriptor wait_for_exec(int talk) {
  FileDescriptor questions;
  while (true) {
    Packet packet = receive_packet(talk);
    if (packet.is_end) {
      return questions;
    }
    if (packet.files.empty()) {
      throw Error(Blame::environment, packet.text);
    }
    questions = std::move(packet.files.front());
    answer_exec(questions.get(), Admission::granted);
  }
}

}  // namespace

void become_unconfined(const CellOptions& options) {
  lead_own_session(options);
  set_limits(options, 0);
}

FilterProgram make_filter_of_copies() {
  return compile_filter(make_filter(Programs::none));
}

std::optional<StartedInmate> start_inmate(const CellOptions& options,
                                          const FilterProgram& filter_of_copy) {
  const Filter filter = filter_for(options);
  Sockets talk = make_sockets();
  const pid_t pid = fork();
  check_step(pid >= 0, "start a process in the cell");
  if (pid == 0) {
    try {
      if (options.is_copy) {
        become_copy(options, filter_of_copy);
        return std::nullopt;
      }
      become_program(options, filter, talk.inmate.get());
    } catch (const std::exception& failure) {
      send_packet(talk.inmate.get(), failure.what());
    }
    _exit(1);
  }
  talk.inmate.close();
  for (int number = 0; number < keeper_channel; ++number) {
    close(number);
  }
  return StartedInmate{pid, wait_for_exec(talk.warden.get())};
}

}  // namespace grader
