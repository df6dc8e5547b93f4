// SPDX-License-Identifier: MIT
#include "grader/worker/second_chance.hpp"

#include <csignal>
#include <fstream>
#include <sys/stat.h>

#include "grader/system/error.hpp"
#include "grader/worker/test_submission.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

// A submission that is killed a number of times, at home on a machine that
// counts kills in the file `counters`. Each of its runs adds a byte to `runs`.
struct Victim {
  TestFolder folder;
  std::filesystem::path counters = folder.write("counters", "oom_kill 0\n");
  std::filesystem::path runs = folder.path() / "runs";

  // `body`: of die(), with the number of the run in n.
  std::unique_ptr<Worker> start(const std::string& body,
                                const std::string& at_load,
                                const std::string& at_call) const {
    const std::string source =
        "import os, signal\n"
        "import numpy as np\n"
        "def machine_kills(n):\n"
        "    open('" +
        counters.string() +
        "', 'w').write('oom_kill %d\\n' % n)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "def die():\n"
        "    with open('" +
        runs.string() +
        "', 'a') as file:\n"
        "        file.write('.')\n"
        "        n = file.tell()\n"
        "    " +
        body + "\n" + at_load +
        "\n"
        "def attention(q, k, v):\n"
        "    " +
        at_call +
        "\n"
        "    return np.ones((q.shape[0], v.shape[1]))\n";
    Program program =
        python_program(folder, folder.write("candidate.py", source));
    program.isolation.counters = counters;
    return start_worker(program, short_limits());
  }

  Outcome call(const std::string& body) const {
    const auto worker = start(body, "", "die()");
    const LoadOutcome loaded = worker->load();
    const auto* description = std::get_if<Description>(&loaded.result);
    REQUIRE(description != nullptr);
    Match match;
    for (const Callable& callable : description->callables) {
      match.callable = callable.name == "attention" ? callable : match.callable;
    }
    return worker->call(match, small_call());
  }

  std::size_t count() const {
    struct stat status {};
    return stat(runs.c_str(), &status) == 0
               ? static_cast<std::size_t>(status.st_size)
               : 0;
  }
};

TEST_CASE("what the machine kills once for want of memory is run again",
          "[second_chance]") {
  const Victim victim;
  const Outcome outcome = victim.call("n == 1 and machine_kills(n)");
  CHECK(std::holds_alternative<Returned>(outcome));
  CHECK(victim.count() == 2);
}

TEST_CASE("what the machine kills twice is not the submission's crash",
          "[second_chance]") {
  const Victim victim;
  CHECK_THROWS_AS(victim.call("machine_kills(n)"), Error);
  CHECK(victim.count() == 2);
}

TEST_CASE("a submission that kills itself has crashed", "[second_chance]") {
  const Victim victim;
  const Outcome outcome = victim.call("os.kill(os.getpid(), signal.SIGKILL)");
  const auto* crashed = std::get_if<Crashed>(&outcome);
  REQUIRE(crashed != nullptr);
  CHECK(crashed->signal == SIGKILL);
  CHECK(victim.count() == 1);
}

TEST_CASE("one that kills itself while others lack memory has crashed",
          "[second_chance]") {
  const Victim victim;
  const Outcome outcome = victim.call(
      "machine_kills(n) if n == 1 else os.kill(os.getpid(), signal.SIGKILL)");
  CHECK(std::holds_alternative<Crashed>(outcome));
  CHECK(victim.count() == 2);
}

TEST_CASE("another signal is not the machine's, whatever it lacks",
          "[second_chance]") {
  const Victim victim;
  const Outcome outcome = victim.call(
      "open('" + victim.counters.string() +
      "', 'w').write('oom_kill 9\\n'); os.kill(os.getpid(), signal.SIGABRT)");
  CHECK(std::holds_alternative<Crashed>(outcome));
  CHECK(victim.count() == 1);
}

TEST_CASE("loading has a second chance, too", "[second_chance]") {
  for (const bool is_always : {false, true}) {
    const Victim victim;
    const auto worker = victim.start(
        is_always ? "machine_kills(n)" : "n == 1 and machine_kills(n)", "die()",
        "pass");
    const LoadOutcome loaded = worker->load();
    CHECK(victim.count() == 2);
    if (is_always) {
      REQUIRE(std::holds_alternative<CannotGrade>(loaded.result));
      CHECK(std::get<CannotGrade>(loaded.result).kind == "environment");
    } else {
      CHECK(std::holds_alternative<Description>(loaded.result));
    }
  }
}

}  // namespace
}  // namespace grader
