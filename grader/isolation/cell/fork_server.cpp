// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/fork_server.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <list>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "grader/isolation/cell/filter.hpp"
#include "grader/isolation/cell/identity.hpp"
#include "grader/isolation/cell/inmate_start.hpp"
#include "grader/isolation/cell/namespaces.hpp"
#include "grader/isolation/cell/options.hpp"
#include "grader/isolation/cell/report.hpp"
#include "grader/isolation/cell/warden.hpp"
#include "grader/system/descriptor_passing.hpp"
#include "grader/system/fork_protocol.hpp"
#include "grader/system/keeper.hpp"

namespace grader {
namespace {

// In the network of this process, which is empty: the kernel makes one after
// the other, and takes longer for it than for all else together.
constexpr std::uint64_t namespaces_of_copies =
    cell_namespaces & ~std::uint64_t{CLONE_NEWNET};

// Of the copies that nobody confines; a cell reports for itself.
struct Charge {
  pid_t pid = -1;
  FileDescriptor reports{};
  bool has_ended = false;
};

void check_single_thread() {
  const auto threads =
      std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  errno = 0;
  check_step(threads == 1,
             "copy a process with " + std::to_string(threads) + " threads");
}

constexpr int first_free = 10;  // after those of a copy and its gate
constexpr std::array<int, 4> numbers_of_copy = {STDOUT_FILENO, STDERR_FILENO,
                                                fork_channel, keeper_channel};

// In a new process: its own files, and nothing else of the server's. Not its
// stdin either: locks on an open file that is shared outlive the copy that
// takes them, as memory of the server and as a message to the next one.
void keep_only(const std::vector<FileDescriptor>& files, unsigned beside) {
  const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  check_step(dup2(nothing.get(), STDIN_FILENO) >= 0,
             "open the stdin of a copy");
  for (std::size_t i = 0; i < numbers_of_copy.size(); ++i) {
    check_step(dup2(files.at(i).get(), numbers_of_copy.at(i)) >= 0,
               "hand its files to a copy");
  }
  check_step(syscall(SYS_close_range, beside + 1, ~0U, 0U) == 0,
             "close the files of the server");
}

std::array<FileDescriptor, 2> make_pipe() {
  std::array<int, 2> ends{};
  check_step(pipe2(ends.data(), O_CLOEXEC) == 0, "make a pipe");
  const FileDescriptor low(ends[0]);
  return {FileDescriptor(fcntl(ends[0], F_DUPFD_CLOEXEC, first_free)),
          FileDescriptor(ends[1])};
}

class Server {
 public:
  explicit Server(const ForkHooks& hooks) : hooks_(hooks) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    endings_ = FileDescriptor(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
    check_step(endings_.is_open(), "watch the copies");
  }

  // Returns in a copy.
  std::vector<std::string> run() {
    send_packet(fork_channel, fork_server_is_ready);
    while (true) {
      wait_for_news();
      look_after_copies();
      if (!is_asked_) {
        continue;
      }
      const Packet request = receive_packet(fork_channel);
      if (request.is_end) {
        _exit(0);
      }
      CellOptions options;
      if (answer(request, options)) {
        return options.program;
      }
    }
  }

 private:
  void wait_for_news() {
    std::vector<pollfd> events = {{fork_channel, POLLIN, 0},
                                  {endings_.get(), POLLIN, 0}};
    for (const Charge& charge : charges_) {
      events.push_back({charge.has_ended ? charge.reports.get() : -1, 0, 0});
    }
    poll(events.data(), events.size(), -1);
    is_asked_ = events[0].revents != 0;
    signalfd_siginfo ignored{};
    while (read(endings_.get(), &ignored, sizeof ignored) > 0) {
    }
  }

  // Cells, which are dead as a whole, are reaped at once; a copy on its own
  // only when the grader has let it go: its number must stand for nobody else.
  void look_after_copies() {
    for (Charge& charge : charges_) {
      siginfo_t info{};
      if (charge.has_ended ||
          waitid(P_PID, static_cast<id_t>(charge.pid), &info,
                 WEXITED | WNOHANG | WNOWAIT) != 0 ||
          info.si_pid == 0) {
        continue;
      }
      charge.has_ended = true;
      const bool is_exit = info.si_code == CLD_EXITED;
      report_end(
          {is_exit ? 0 : info.si_status, is_exit ? info.si_status : 0, false},
          charge.reports.get());
    }
    charges_.remove_if([](const Charge& charge) {
      pollfd other{charge.reports.get(), 0, 0};
      const bool is_over = charge.has_ended && poll(&other, 1, 0) == 1 &&
                           waitpid(charge.pid, nullptr, 0) == charge.pid;
      return is_over;
    });
    std::erase_if(cells_, [](pid_t cell) {
      return waitpid(cell, nullptr, WNOHANG) == cell;
    });
  }

  // True in the copy.
  bool answer(const Packet& request, CellOptions& options) {
    try {
      check_single_thread();
      check_step(request.files.size() == numbers_of_copy.size(),
                 "copy a process without its files");
      options = parse_cell_options(words_of(request.text));
      const Clone copy = copied(options, request.files);
      if (copy.pid == 0) {
        return true;
      }
      send_packet(fork_channel, "", {copy.process.get()});
    } catch (const std::exception& failure) {
      if (is_copy_) {
        report_failure(failure.what());
        _exit(1);
      }
      send_packet(fork_channel, failure.what());
    }
    return false;
  }

  Clone copied(const CellOptions& options,
               const std::vector<FileDescriptor>& files) {
    call(hooks_.before);
    try {
      Clone copy = options.is_confined ? make_cell(options, files)
                                       : make_copy(options, files);
      call(copy.pid == 0 ? hooks_.after_in_copy : hooks_.after_in_parent);
      return copy;
    } catch (...) {
      if (!is_copy_) {
        call(hooks_.after_in_parent);
      }
      throw;
    }
  }

  static void call(void (*hook)()) {
    if (hook != nullptr) {
      hook();
    }
  }

  Clone make_cell(const CellOptions& options,
                  const std::vector<FileDescriptor>& files) {
    auto [gate, opener] = make_pipe();
    Clone warden = clone_into(namespaces_of_copies);
    if (warden.pid == 0) {
      is_copy_ = true;
      constexpr int gate_number = keeper_channel + 1;
      FileDescriptor own_gate(dup2(gate.get(), gate_number));
      gate.close();
      opener.close();
      keep_only(files, gate_number);
      Opened opened;
      opened.trees = open_trees(options);
      guard(options, std::move(opened), std::move(own_gate), filter_);
      return warden;  // the inmate
    }
    cells_.push_back(warden.pid);
    map_identity(warden.pid);
    return warden;
  }

  Clone make_copy(const CellOptions& options,
                  const std::vector<FileDescriptor>& files) {
    const pid_t server = getpid();
    const pid_t pid = fork();
    check_step(pid >= 0, "copy a process");
    if (pid > 0) {
      FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
      charges_.push_back({pid, FileDescriptor(dup(files.back().get()))});
      return {pid, std::move(process)};
    }
    is_copy_ = true;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server) {
      _exit(1);
    }
    keep_only(files, keeper_channel);
    become_unconfined(options);
    report_start(getpid());
    close(keeper_channel);
    return {0, {}};
  }

  ForkHooks hooks_;
  FilterProgram filter_ = make_filter_of_copies();
  FileDescriptor endings_;
  std::list<Charge> charges_;
  std::vector<pid_t> cells_;
  bool is_asked_ = false;
  // Numbers do not tell: in its own cell a copy may have that of the server.
  bool is_copy_ = false;
};

}  // namespace

std::vector<std::string> serve_forks(const ForkHooks& hooks) {
  // Never destroyed: what it has opened is closed in a copy, by number.
  return (new Server(hooks))->run();
}

}  // namespace grader
