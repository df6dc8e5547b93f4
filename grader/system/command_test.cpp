// SPDX-License-Identifier: MIT
#include "grader/system/command.hpp"

#include <signal.h>

#include "grader/system/error.hpp"
#include "tests/catch.hpp"

using namespace grader;

namespace {

CommandResult shell(const std::string& script,
                    const CommandLimits& limits = {}) {
  return run_command({"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}, "/tmp",
                     limits);
}

CommandLimits wall_limit(double seconds) {
  CommandLimits limits;
  limits.wall = std::chrono::duration<double>(seconds);
  return limits;
}

}  // namespace

TEST_CASE("a command's output and exit status come back", "[command]") {
  const CommandResult result = shell("pwd; echo trouble >&2; exit 3");
  CHECK(result.standard_output == "/tmp\n");
  CHECK(result.standard_error == "trouble\n");
  CHECK(result.exit_status == 3);
  CHECK(result.signal == 0);
  CHECK_FALSE(result.succeeded());
  CHECK(shell("exit 0").succeeded());
}

TEST_CASE("a command inherits neither environment nor stdin", "[command]") {
  const CommandResult result = shell("env | grep -v ^PWD= | sort; cat");
  CHECK(result.standard_output.find("PATH=/usr/bin:/bin") != std::string::npos);
  CHECK(result.standard_output.find("HOME=") == std::string::npos);
  CHECK(result.succeeded());
}

TEST_CASE("a command that does not end is killed", "[command]") {
  const CommandResult result =
      shell("trap '' TERM INT; sleep 600", wall_limit(0.2));
  CHECK(result.timed_out);
  CHECK(result.signal == SIGKILL);
}

TEST_CASE("a busy command is stopped by its processor time", "[command]") {
  CommandLimits limits;
  limits.cpu = std::chrono::duration<double>(1.0);
  CHECK(shell("while :; do :; done", limits).timed_out);
}

TEST_CASE("a child left behind does not keep the caller waiting", "[command]") {
  const CommandResult result = shell("sleep 600 & echo $!");
  CHECK(result.succeeded());
  const int left_behind = std::stoi(result.standard_output);
  // Killed with the group; a moment may pass until it is reaped by init.
  const std::string state =
      shell("sleep 0.2; cat /proc/" + std::to_string(left_behind) +
            "/stat 2>/dev/null | cut -d' ' -f3")
          .standard_output;
  CHECK((state.empty() || state == "Z\n"));
}

TEST_CASE("the output of a command is capped", "[command]") {
  CommandLimits limits;
  limits.output = 1000;
  const CommandResult result =
      shell("head -c 1000000 /dev/zero | tr '\\0' x; echo end", limits);
  CHECK(result.standard_output.size() < 1100);
  CHECK(result.standard_output.find("bytes left out") != std::string::npos);
  CHECK(result.standard_output.find("end\n") != std::string::npos);
}

TEST_CASE("a command that cannot be started is the environment's fault",
          "[command]") {
  CHECK_THROWS_WITH(run_command({"/no/such/program"}, {}, "/"),
                    "cannot start /no/such/program: No such file or directory");
  CHECK_THROWS_WITH(
      run_command({"/bin/sh"}, {}, "/no/such/folder"),
      "cannot start /bin/sh in /no/such/folder: No such file or directory");
}

TEST_CASE("signals that the grader ignores are not ignored by a command",
          "[command]") {
  const auto before = signal(SIGUSR1, SIG_IGN);
  const CommandResult result = shell("kill -USR1 $$; echo survived");
  signal(SIGUSR1, before);
  CHECK(result.signal == SIGUSR1);
}

namespace {

std::optional<std::string> awaited(const std::string& script,
                                   const CommandLimits& limits = {}) {
  Child child(command_request({"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"},
                              "/", limits));
  auto output = await_output(child, "\ndone\n", limits);
  CHECK((!output || !child.has_exited()));
  return output;
}

}  // namespace

TEST_CASE("a child goes on after the output that was awaited", "[command]") {
  CHECK(awaited("echo one; echo done; exec sleep 600") == "one\ndone\n");
  CHECK(
      awaited("echo one; head -c 200000 /dev/zero >&2; echo done; sleep 600") ==
      "one\ndone\n");
}

TEST_CASE("what is not printed within the limits is not awaited", "[command]") {
  CHECK_FALSE(
      awaited("printf 'one\\ndone\\nmore\\n'; sleep 600", wall_limit(0.2)));
  CHECK_FALSE(awaited("echo one; exit 0"));
  CHECK_FALSE(awaited("sleep 600", wall_limit(0.2)));
  CommandLimits limits;
  limits.cpu = std::chrono::duration<double>(0.1);
  CHECK_FALSE(awaited("while :; do :; done", limits));
  limits = {};
  limits.output = 1000;
  CHECK_FALSE(awaited("head -c 100000 /dev/zero; sleep 600", limits));
}
