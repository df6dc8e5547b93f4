// SPDX-License-Identifier: MIT
#include "grader/system/child.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <utility>

#include "grader/system/error.hpp"
#include "grader/system/fork_server.hpp"

namespace grader {
namespace {

constexpr int channel_number = 3;  // in the child
constexpr int error_number_pipe = keeper_channel + 1;
constexpr int first_free = 10;  // sources stay clear of the numbers above

struct Pair {
  FileDescriptor first;
  FileDescriptor second;
};

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(Blame::environment, "cannot " + what + errno_text(error));
}

FileDescriptor move_up(int number) {
  FileDescriptor low(number);
  FileDescriptor high(fcntl(number, F_DUPFD_CLOEXEC, first_free));
  if (!high.is_open()) {
    fail("open another file descriptor", errno);
  }
  return high;
}

Pair make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    fail("make a pipe", errno);
  }
  return {move_up(ends[0]), move_up(ends[1])};
}

Pair make_socket_pair(int type) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    fail("make a socket pair", errno);
  }
  return {move_up(ends[0]), move_up(ends[1])};
}

void set_non_blocking(const FileDescriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL,
        fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const std::string& text : strings) {
    result.push_back(const_cast<char*>(text.c_str()));
  }
  result.push_back(nullptr);
  return result;
}

enum class Step { redirect, limit, directory, exec };

struct StartFailure {
  Step step = Step::exec;
  int error = 0;
};

// Everything the child needs, made before the fork: between fork and exec only
// async-signal-safe calls are allowed, so no allocation either.
struct Plan {
  int input = -1;
  int output = -1;
  int error = -1;
  int channel = -1;  // -1: none
  int reports = -1;  // likewise, of a keeper
  int failure = -1;
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  const char* directory = nullptr;
  const ResourceLimit* limits = nullptr;
  std::size_t limit_count = 0;
  pid_t parent = 0;
};

[[noreturn]] void report_and_exit(Step step) {
  const StartFailure failure{step, errno};
  const ssize_t written = write(error_number_pipe, &failure, sizeof failure);
  _exit(written == static_cast<ssize_t>(sizeof failure) ? 127 : 126);
}

void close_from(unsigned first) {
  if (syscall(SYS_close_range, first, ~0U, 0U) == 0) {
    return;
  }
  for (int number = static_cast<int>(first); number < 65536; ++number) {
    close(number);
  }
}

// `wanted` under that number, or nothing there.
bool place(int wanted, int number) {
  if (wanted < 0) {
    close(number);
    return true;
  }
  return dup2(wanted, number) >= 0;
}

void redirect(const Plan& plan) {
  bool is_done = dup3(plan.failure, error_number_pipe, O_CLOEXEC) >= 0;
  is_done = is_done && dup2(plan.input, STDIN_FILENO) >= 0 &&
            dup2(plan.output, STDOUT_FILENO) >= 0 &&
            dup2(plan.error, STDERR_FILENO) >= 0 &&
            place(plan.channel, channel_number) &&
            place(plan.reports, keeper_channel);
  close_from(error_number_pipe + 1);
  if (!is_done) {
    report_and_exit(Step::redirect);
  }
}

// A limit cannot be raised above the hard one that is in force.
void apply_limits(const Plan& plan) {
  for (std::size_t i = 0; i < plan.limit_count; ++i) {
    const ResourceLimit& wanted = plan.limits[i];
    rlimit limit{};
    getrlimit(static_cast<__rlimit_resource>(wanted.resource), &limit);
    limit.rlim_max =
        wanted.hard < limit.rlim_max ? wanted.hard : limit.rlim_max;
    limit.rlim_cur =
        wanted.soft < limit.rlim_max ? wanted.soft : limit.rlim_max;
    if (setrlimit(static_cast<__rlimit_resource>(wanted.resource), &limit) !=
        0) {
      report_and_exit(Step::limit);
    }
  }
}

void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    sigaction(number, &standard, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_child(const Plan& plan) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) {
    _exit(126);  // the grader ended before the line above took effect
  }
  redirect(plan);
  reset_signals();
  if (chdir(plan.directory) != 0) {
    report_and_exit(Step::directory);
  }
  apply_limits(plan);
  execve(plan.argv[0], plan.argv, plan.environment);
  report_and_exit(Step::exec);
}

// Signal handlers of the grader must not run in the child.
pid_t fork_with_signals_blocked(const Plan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    run_child(plan);
  }
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

// The pipe closes at exec; whatever comes before is why there was none.
std::optional<StartFailure> wait_for_exec(const FileDescriptor& pipe) {
  StartFailure failure;
  ssize_t count = 0;
  do {
    count = read(pipe.get(), &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  if (count == static_cast<ssize_t>(sizeof failure)) {
    return failure;
  }
  return std::nullopt;
}

std::string describe(const StartFailure& failure, const SpawnRequest& request) {
  const std::string& program = request.argv.at(0);
  switch (failure.step) {
    case Step::redirect:
      return "redirect the output of " + program;
    case Step::limit:
      return "set the resource limits of " + program;
    case Step::directory:
      return "start " + program + " in " + request.working_directory.string();
    case Step::exec:
      return "start " + program;
  }
  return "start " + program;
}

}  // namespace

Child::Child(const SpawnRequest& request)
    : counters_(request.counters), kills_before_(memory_kills(counters_)) {
  Pair errors = make_pipe();
  Pair failures = make_pipe();
  const ChildsEnds ends = make_streams(request.channel);
  Pair reports;
  if (request.is_kept) {
    reports = make_socket_pair(SOCK_SEQPACKET);
    accept_credentials(reports.first);
  }
  const std::vector<char*> argv = pointers(request.argv);
  const std::vector<char*> environment = pointers(request.environment);

  Plan plan;
  plan.input = ends.input.get();
  plan.output = ends.output.get();
  plan.error = errors.second.get();
  plan.channel = ends.channel.get();
  plan.reports = reports.second.get();
  plan.failure = failures.second.get();
  plan.argv = argv.data();
  plan.environment = environment.data();
  plan.directory = request.working_directory.c_str();
  plan.limits = request.limits.data();
  plan.limit_count = request.limits.size();
  plan.parent = getpid();

  pid_ = fork_with_signals_blocked(plan);
  if (pid_ < 0) {
    fail("start " + request.argv.at(0), errno);
  }
  failures.second.close();
  reports.second.close();
  if (const auto failure = wait_for_exec(failures.first)) {
    end();
    fail(describe(*failure, request), failure->error);
  }
  standard_error_ = std::move(errors.first);
  take_streams();
  exit_event_ = FileDescriptor(
      static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));  // CLOEXEC by itself
  if (request.is_kept) {
    await_inmate(std::move(reports.first));
  }
}

Child::Child(const SpawnRequest& request, std::shared_ptr<ForkServer> server)
    : counters_(request.counters),
      kills_before_(memory_kills(counters_)),
      server_(std::move(server)),
      own_kills_before_(server_->kills_for_memory()) {
  Pair errors = make_pipe();
  Pair reports = make_socket_pair(SOCK_SEQPACKET);
  accept_credentials(reports.first);
  ChildsEnds ends = make_streams(request.channel);
  if (!ends.channel.is_open()) {
    ends.channel = std::move(ends.input);
  }
  copy_ =
      server_->copy(request.argv, {ends.output.get(), errors.second.get(),
                                   ends.channel.get(), reports.second.get()});
  reports.second.close();
  standard_error_ = std::move(errors.first);
  take_streams();
  await_inmate(std::move(reports.first));
}

void Child::take_streams() {
  for (const FileDescriptor* own :
       {&standard_output_, &standard_error_, &requests_, &replies_}) {
    if (own->is_open()) {
      set_non_blocking(*own);
    }
  }
}

void Child::await_inmate(FileDescriptor reports) {
  try {
    inmate_.emplace(std::move(reports));
  } catch (const Error&) {
    end();
    throw;
  }
}

Child::ChildsEnds Child::make_streams(Channel channel) {
  ChildsEnds ends;
  Pair output = make_pipe();
  ends.output = std::move(output.second);
  if (channel == Channel::standard_streams) {
    Pair input = make_pipe();
    ends.input = std::move(input.first);
    requests_ = std::move(input.second);
    replies_ = std::move(output.first);
    return ends;
  }
  ends.input = move_up(open("/dev/null", O_RDONLY | O_CLOEXEC));
  standard_output_ = std::move(output.first);
  if (channel == Channel::socket || channel == Channel::packets) {
    Pair sockets = make_socket_pair(
        channel == Channel::socket ? SOCK_STREAM : SOCK_SEQPACKET);
    replies_ = std::move(sockets.first);
    ends.channel = std::move(sockets.second);
  }
  return ends;
}

bool Child::has_exited() {
  if (ending_) {
    return true;
  }
  if (inmate_) {
    return inmate_->has_ended();
  }
  siginfo_t info{};
  const int result = waitid(P_PID, static_cast<id_t>(pid_), &info,
                            WEXITED | WNOHANG | WNOWAIT);
  return result == 0 && info.si_pid == pid_;
}

std::optional<double> Child::cpu_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (ending_ || clock_getcpuclockid(pid(), &clock) != 0 ||
      clock_gettime(clock, &time) != 0) {
    return std::nullopt;
  }
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

int Child::kills_for_memory() const {
  return inmate_ ? inmate_->kills_for_memory() : 0;
}

// Its zombie is the server's to reap; when the pidfd is readable nothing of the
// cell is left.
void Child::end_copy() {
  // Of one in a namespace the kernel has reaped all if the first process was
  // killed: the number may be somebody else's.
  if (inmate_ && !inmate_->has_namespace()) {
    kill(-inmate_->pid(), SIGKILL);  // its group
  }
  syscall(SYS_pidfd_send_signal, copy_.get(), SIGKILL, nullptr, 0);
  pollfd event{copy_.get(), POLLIN, 0};
  constexpr int patience_ms = 20000;
  while (poll(&event, 1, patience_ms) < 0 && errno == EINTR) {
  }
  Ending ending = inmate_ ? inmate_->ending() : Ending{SIGKILL, 0, false};
  ending.own_kills = server_->kills_for_memory() - own_kills_before_;
  ending.is_out_of_memory = ending.signal == SIGKILL && ending.own_kills > 0;
  ending_ = ending;
  ending_->machine_lacked_memory = machine_lacked_memory();
}

// The cell's own limit does not count.
bool Child::machine_lacked_memory() const {
  const auto kills = memory_kills(counters_);
  return kills && kills_before_ &&
         *kills > *kills_before_ + static_cast<unsigned>(ending_->own_kills);
}

Ending Child::end() {
  if (!ending_ && copy_.is_open()) {
    end_copy();
  }
  if (ending_ || pid_ < 0) {
    return ending_.value_or(Ending{});
  }
  if (inmate_) {
    kill(pid_, SIGTERM);  // the keeper kills the cell and waits for its end
  } else {
    // The leader is not reaped yet, so its number cannot belong to another
    // group.
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);  // in case it failed before setsid
  }
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (inmate_) {
    ending_ = inmate_->ending();
  } else {
    ending_ = WIFSIGNALED(status) ? Ending{WTERMSIG(status), 0, false}
                                  : Ending{0, WEXITSTATUS(status), false};
  }
  ending_->machine_lacked_memory = machine_lacked_memory();
  return *ending_;
}

}  // namespace grader
