// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/warden.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/isolation/cell/filter.hpp"
#include "grader/isolation/cell/identity.hpp"
#include "grader/isolation/cell/inmate_start.hpp"
#include "grader/isolation/cell/report.hpp"
#include "grader/isolation/cell/result_file.hpp"
#include "grader/system/error.hpp"
#include "grader/system/keeper.hpp"

namespace grader {
namespace {

void take_identity_of(const CellOptions& options, FileDescriptor gate) {
  char nothing = 0;
  while (read(gate.get(), &nothing, 1) < 0 && errno == EINTR) {
  }
  if (options.has_namespaces) {
    take_identity();
  } else {
    give_up_root();
  }
}

// Without a namespace of processes -1 would be all those of the user.
void kill_the_others(const CellOptions& options, pid_t inmate) {
  kill(options.has_namespaces ? -1 : -inmate, SIGKILL);
}

// To be called after the change of identity, which resets both. The keeper may
// have died before: then nobody is at the other end of the channel.
void die_with_keeper() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd other{keeper_channel, 0, 0};
  if (poll(&other, 1, 0) == 1 && (other.revents & POLLHUP) != 0) {
    _exit(1);
  }
}

// No process of the same id may trace it, or read its memory or its files.
void become_untouchable() {
  check_step(prctl(PR_SET_DUMPABLE, 0) == 0, "protect the first process");
}

// What is reaped must not be the inmate: until the grader has closed the cell
// its number stands for nobody else.
std::optional<Ending> reap_until(pid_t inmate) {
  siginfo_t info{};
  while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0) {
    if (info.si_pid != inmate) {
      waitpid(info.si_pid, nullptr, 0);
    } else if (info.si_code == CLD_EXITED) {
      return Ending{0, info.si_status, false};
    } else {
      return Ending{info.si_status, 0, false};
    }
    info = {};
  }
  return std::nullopt;
}

FileDescriptor watch_children() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  FileDescriptor events(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  check_step(events.is_open(), "watch the processes of the cell");
  return events;
}

void forget(const FileDescriptor& events) {
  signalfd_siginfo info{};
  while (read(events.get(), &info, sizeof info) > 0) {
  }
}

[[noreturn]] void wait_to_be_killed() {
  for (;;) {
    pause();
  }
}

// A program that tries to become another one is ended for it, as by a filter
// that kills.
Ending wait_for_inmate(StartedInmate& inmate, const FileDescriptor& children) {
  bool has_asked = false;
  while (true) {
    std::array<pollfd, 2> events{{{children.get(), POLLIN, 0},
                                  {inmate.exec_questions.get(), POLLIN, 0}}};
    poll(events.data(), events.size(), -1);
    if ((events[1].revents & POLLIN) != 0 &&
        answer_exec(inmate.exec_questions.get(), Admission::refused)) {
      has_asked = true;
      kill(inmate.pid, SIGKILL);
    } else if (events[1].revents != 0) {
      inmate.exec_questions.close();
    }
    forget(children);
    if (const auto ending = reap_until(inmate.pid)) {
      return has_asked ? Ending{SIGSYS, 0, false} : *ending;
    }
  }
}

}  // namespace

void guard(const CellOptions& options, Opened opened, FileDescriptor gate,
           const FilterProgram& filter_of_copy) {
  take_identity_of(options, std::move(gate));
  die_with_keeper();
  become_untouchable();
  if (options.has_namespaces) {
    build_root(options, opened.trees);
  }
  opened.trees.clear();
  const FileDescriptor children = watch_children();
  std::optional<StartedInmate> inmate = start_inmate(options, filter_of_copy);
  if (!inmate) {
    return;
  }
  report_start(inmate->pid);
  const Ending ending = wait_for_inmate(*inmate, children);
  kill_the_others(options, inmate->pid);
  if (opened.result.is_open() && ending.signal == 0 &&
      ending.exit_status == 0) {
    copy_result(options.taken, opened.result);
  }
  if (report_end(ending)) {
    wait_to_be_killed();
  }
  _exit(0);
}

}  // namespace grader
