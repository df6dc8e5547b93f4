// SPDX-License-Identifier: MIT
#include "grader/system/memory_kills.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

#include "grader/system/child.hpp"
#include "grader/system/command.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

struct Counters {
  fs::path folder = [] {
    std::string name = "/tmp/memory-kills-test-XXXXXX";
    return fs::path(mkdtemp(name.data()));
  }();
  fs::path file = folder / "vmstat";
  ~Counters() { fs::remove_all(folder); }

  void say(const std::string& text) const { std::ofstream(file) << text; }
  void say(int kills) const {
    say("nr_free_pages 7\noom_kill " + std::to_string(kills) + "\nlast 1\n");
  }

  // By a shell in whose script @ is what raises the number to 4.
  CommandResult run(std::string script) const {
    const std::string rise = "echo oom_kill 4 > " + file.string();
    const std::size_t at = script.find('@');
    if (at != std::string::npos) {
      script.replace(at, 1, rise);
    }
    SpawnRequest request = command_request({"/bin/sh", "-c", script},
                                           {"PATH=/usr/bin:/bin"}, "/", {});
    request.counters = file;
    return run_command(request, {});
  }
};

TEST_CASE("kills for want of memory are read off the kernel's counters",
          "[memory_kills]") {
  const Counters counters;
  CHECK_FALSE(memory_kills(counters.file));
  counters.say(3);
  CHECK(memory_kills(counters.file) == 3U);
  for (const char* text : {"", "oom_kill", "oom_kill x\n", "oom_killer 3\n",
                           "nr_free_pages -\noom_kill 3\n"}) {
    counters.say(text);
    CHECK_FALSE(memory_kills(counters.file));
  }
}

TEST_CASE("a command knows whether the machine lacked memory meanwhile",
          "[memory_kills]") {
  const Counters counters;
  counters.say(3);
  CHECK_FALSE(counters.run("exit 0").machine_lacked_memory);
  CHECK_FALSE(counters.run("kill -KILL $$").machine_lacked_memory);
  const CommandResult killed = counters.run("@; kill -KILL $$");
  CHECK(killed.signal == SIGKILL);
  CHECK(killed.machine_lacked_memory);
  CHECK_FALSE(counters.run("@; exit 1").machine_lacked_memory);  // 4 before
}

TEST_CASE("where the kernel does not count nothing is said", "[memory_kills]") {
  const Counters counters;
  CHECK_FALSE(counters.run("@; kill -KILL $$").machine_lacked_memory);
}

}  // namespace
}  // namespace grader
