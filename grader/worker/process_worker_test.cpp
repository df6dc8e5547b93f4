// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <thread>
#include <unistd.h>

#include "grader/worker/test_submission.hpp"
#include "tests/catch.hpp"

using namespace grader;
using namespace std::chrono_literals;

namespace {

const std::string good = R"(
import numpy as np
def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return w @ v
)";

// Runs `body` in attention(q, k, v) when q[0, 0] is not 0.
std::string misbehaving(const std::string& body) {
  return good +
         "right = attention\n"
         "def attention(q, k, v):\n"
         "    if q[0, 0] != 0:\n"
         "        " +
         body +
         "\n"
         "    return right(q, k, v)\n";
}

Call good_call() {
  return small_call();
}

Call bad_call() {
  Call call = small_call();
  call.arguments[0].tensor.data[0] = 1.0;
  return call;
}

Outcome outcome_of(const std::string& body,
                   const Limits& limits = short_limits()) {
  PythonSubmission submission(misbehaving(body), limits);
  Outcome outcome = submission.call(bad_call());
  // Whatever it was: the next call is answered as if nothing had happened.
  returned(submission.call(good_call()));
  return outcome;
}

TimedOut timed_out(const Outcome& outcome) {
  INFO(outcome_name(outcome));
  const auto* result = std::get_if<TimedOut>(&outcome);
  REQUIRE(result != nullptr);
  return *result;
}

bool is_alive(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  stat >> number >> name >> state;
  return !state.empty() && state != "Z";
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) {
    ++count;
  }
  closedir(folder);
  return count;
}

}  // namespace

TEST_CASE("a good submission returns its numbers", "[process_worker]") {
  PythonSubmission submission(good);
  const Returned result = returned(submission.call(good_call()));
  REQUIRE(result.results.size() == 1);
  CHECK(result.results[0].role.empty());
  CHECK(result.results[0].dtype == DType::float64);
  CHECK(result.results[0].values.shape == reference::Shape{2, 4});
  CHECK_FALSE(result.input_mutated);
  CHECK(result.problem.empty());
  CHECK(submission.worker().cpu_seconds() > 0.0);
}

TEST_CASE("an exception keeps the process and shows the candidate's frames",
          "[process_worker]") {
  PythonSubmission submission(misbehaving("raise KeyError('q')"));
  const Outcome outcome = submission.call(bad_call());
  const auto* raised = std::get_if<Raised>(&outcome);
  REQUIRE(raised != nullptr);
  CHECK(raised->type == "KeyError");
  CHECK(raised->message == "'q'");
  CHECK(raised->traceback.find("candidate.py\", line 11") != std::string::npos);
  CHECK(raised->traceback.find("host.py") == std::string::npos);
}

TEST_CASE("ending the program early is no answer, whatever the exit code",
          "[process_worker]") {
  const auto check = [](const std::string& body, int status) {
    const Outcome outcome = outcome_of(body);
    INFO(body << ": " << outcome_name(outcome));
    const auto* crashed = std::get_if<Crashed>(&outcome);
    REQUIRE(crashed != nullptr);
    CHECK(crashed->signal == 0);
    CHECK(crashed->exit_status == status);
  };
  check("__import__('os')._exit(0)", 0);
  check("__import__('sys').exit(7)", 7);
  check("exit()", 0);
}

TEST_CASE("a crash tells its signal", "[process_worker]") {
  const auto check = [](const std::string& body, int signal) {
    const Outcome outcome = outcome_of(body);
    INFO(body << ": " << outcome_name(outcome));
    const auto* crashed = std::get_if<Crashed>(&outcome);
    REQUIRE(crashed != nullptr);
    CHECK(crashed->signal == signal);
  };
  check("__import__('ctypes').string_at(0)", SIGSEGV);
  check("__import__('os').abort()", SIGABRT);
  check("__import__('os').kill(__import__('os').getpid(), 9)", SIGKILL);
}

TEST_CASE("a call that sleeps has hung", "[process_worker]") {
  const TimedOut limit = timed_out(outcome_of("__import__('time').sleep(1e6)"));
  CHECK(limit.limit == TimeLimit::idle);
  CHECK(limit.seconds == 1.0);
}

TEST_CASE("a call that stops itself or ignores signals has hung",
          "[process_worker]") {
  CHECK(timed_out(outcome_of("__import__('os').kill(0, 19)")).limit ==
        TimeLimit::idle);
  CHECK(timed_out(outcome_of("import signal, time; "
                             "signal.signal(15, signal.SIG_IGN); "
                             "signal.pthread_sigmask(signal.SIG_BLOCK, "
                             "range(1, 65)); time.sleep(1e6)"))
            .limit == TimeLimit::idle);
}

TEST_CASE("a busy loop uses up the processor time of all calls",
          "[process_worker]") {
  Limits limits = short_limits();
  limits.cpu = 500ms;
  PythonSubmission submission(misbehaving("while True: pass"), limits);
  const TimedOut limit = timed_out(submission.call(bad_call()));
  CHECK(limit.limit == TimeLimit::cpu);
  CHECK(limit.seconds == 0.5);
  CHECK(std::holds_alternative<NotRun>(submission.call(good_call())));
}

TEST_CASE("a loop of short sleeps ends at the wall time", "[process_worker]") {
  Limits limits = short_limits();
  limits.wall = 1s;
  PythonSubmission submission(
      misbehaving("\n            while True: __import__('time').sleep(0.01)"),
      limits);
  CHECK(timed_out(submission.call(bad_call())).limit == TimeLimit::wall);
}

TEST_CASE("after two time-outs the rest is not run", "[process_worker]") {
  Limits limits = short_limits();
  limits.idle = 300ms;
  PythonSubmission submission(misbehaving("__import__('time').sleep(1e6)"),
                              limits);
  timed_out(submission.call(bad_call()));
  timed_out(submission.call(bad_call()));
  CHECK(std::holds_alternative<NotRun>(submission.call(good_call())));
}

TEST_CASE("after twelve crashes the rest is not run", "[process_worker]") {
  PythonSubmission submission(misbehaving("__import__('os')._exit(1)"));
  for (int i = 0; i < 12; ++i) {
    CHECK(std::holds_alternative<Crashed>(submission.call(bad_call())));
  }
  CHECK(std::holds_alternative<NotRun>(submission.call(good_call())));
}

TEST_CASE("memory above the baseline is limited", "[process_worker]") {
  CHECK(std::holds_alternative<OutOfMemory>(
      outcome_of("a = [bytearray(1 << 20) for i in range(100000)]")));
  CHECK(std::holds_alternative<OutOfMemory>(outcome_of("np.ones((1 << 33,))")));
}

TEST_CASE("less memory than the limit is allowed", "[process_worker]") {
  returned(outcome_of("np.ones((100 << 17,))"));
}

TEST_CASE("too much printing ends the submission", "[process_worker]") {
  PythonSubmission submission(
      misbehaving("\n            while True: print('x' * 100000)"));
  const Outcome outcome = submission.call(bad_call());
  const auto* limit = std::get_if<LimitExceeded>(&outcome);
  REQUIRE(limit != nullptr);
  CHECK(limit->option == "--output-limit");
  CHECK(limit->bytes == std::uint64_t{1} << 20U);
  CHECK(submission.worker().output().standard_output.size() < 100000);
  CHECK(std::holds_alternative<NotRun>(submission.call(good_call())));
}

TEST_CASE("what is printed is captured", "[process_worker]") {
  PythonSubmission submission(
      "import sys\nprint('loading')\n" +
      misbehaving("print('calling'); print('oops', file=sys.stderr)"));
  returned(submission.call(bad_call()));
  const CapturedOutput output = submission.worker().output();
  CHECK(output.standard_output == "loading\ncalling\n");
  CHECK(output.standard_error == "oops\n");
}

TEST_CASE("garbage on every descriptor is a bad reply", "[process_worker]") {
  CHECK(std::holds_alternative<BadReply>(outcome_of(R"(
        import os
        for i in range(3, 256):
            try: os.write(i, b'\xff' * 64)
            except OSError: pass)")));
}

TEST_CASE("a forged answer before the real one is a bad reply",
          "[process_worker]") {
  CHECK(std::holds_alternative<BadReply>(outcome_of(R"(
        import os, struct
        text = b'{"__metadata__": {"status": "returned", "id": "2"}}'
        for i in range(3, 256):
            try: os.write(i, struct.pack('<Q', len(text)) + text + b'!')
            except OSError: pass)")));
}

TEST_CASE("a closed channel is no answer", "[process_worker]") {
  const Outcome outcome = outcome_of("__import__('os').closerange(3, 256)");
  // The host fails to send and ends.
  CHECK(std::holds_alternative<Crashed>(outcome));
}

TEST_CASE("a child that keeps everything open does not outlive the call",
          "[process_worker]") {
  PythonSubmission submission(misbehaving(R"(
        import os, time
        pid = os.fork()
        if pid == 0:
            time.sleep(1e6)
        print(pid)
        os._exit(3))"));
  const Outcome outcome = submission.call(bad_call());
  const auto* crashed = std::get_if<Crashed>(&outcome);
  REQUIRE(crashed != nullptr);
  CHECK(crashed->exit_status == 3);
  const int pid = std::stoi(submission.worker().output().standard_output);
  std::this_thread::sleep_for(200ms);
  CHECK_FALSE(is_alive(pid));
}

TEST_CASE("nothing is left of a worker: no process, no descriptor",
          "[process_worker]") {
  const std::size_t before = open_descriptors();
  int pid = 0;
  {
    PythonSubmission submission("import os\nprint(os.getpid())\n" + good);
    pid = std::stoi(submission.worker().output().standard_output);
    returned(submission.call(good_call()));
    CHECK(is_alive(pid));
  }
  CHECK_FALSE(is_alive(pid));
  CHECK(open_descriptors() == before);
}

TEST_CASE("a submission sees no descriptor of the grader", "[process_worker]") {
  const int opened_without_cloexec = open("/dev/null", O_RDONLY);
  PythonSubmission submission(
      "import os\n"
      "print([f for f in os.listdir('/proc/self/fd') if int(f) > 2 and "
      "os.path.exists('/proc/self/fd/' + f)])\n" +
      good);
  close(opened_without_cloexec);
  // The host's own channel, and nothing else.
  CHECK(submission.worker().output().standard_output == "['200']\n");
}

TEST_CASE("limits hold while the file is loaded", "[process_worker]") {
  const auto load = [](const std::string& source) {
    Limits limits = short_limits();
    limits.cpu = 500ms;
    limits.idle = 500ms;
    PythonSubmission submission(source, limits);
    const auto* outcome = std::get_if<Outcome>(&submission.loaded().result);
    REQUIRE(outcome != nullptr);
    return *outcome;
  };
  CHECK(timed_out(load("while True: pass")).limit == TimeLimit::cpu);
  CHECK(timed_out(load("import time; time.sleep(1e6)")).limit ==
        TimeLimit::idle);
  CHECK(std::holds_alternative<Crashed>(load("import os; os._exit(0)")));
  CHECK(std::holds_alternative<OutOfMemory>(load("a = bytearray(1 << 40)")));
  CHECK(std::holds_alternative<LimitExceeded>(
      load("while True: print('x' * 10000)")));
}

TEST_CASE("an interpreter that cannot be used is not the candidate's fault",
          "[process_worker]") {
  const TestFolder folder;
  Program program = python_program(folder, folder.write("a.py", good));
  const auto obstacle = [&](const std::string& interpreter) {
    program.argv[0] = interpreter;
    const LoadOutcome outcome = start_worker(program, short_limits())->load();
    const auto* cannot = std::get_if<CannotGrade>(&outcome.result);
    REQUIRE(cannot != nullptr);
    CHECK(cannot->kind == "environment");
    return cannot->detail;
  };
  CHECK(obstacle("/no/such/python") ==
        "cannot start /no/such/python: No such file or directory");
  CHECK(obstacle("/bin/true").find("did not start a host (crashed)") !=
        std::string::npos);
}

TEST_CASE("workers in several threads do not disturb each other",
          "[process_worker]") {
  std::vector<std::string> names(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < names.size(); ++i) {
    threads.emplace_back([&, i] {
      PythonSubmission submission(
          i % 2 == 0 ? good : misbehaving("__import__('os')._exit(0)"));
      names[i] = outcome_name(submission.call(bad_call()));
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(names ==
        std::vector<std::string>{"returned", "crashed", "returned", "crashed"});
}
