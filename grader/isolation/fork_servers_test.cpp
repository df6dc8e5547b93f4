// SPDX-License-Identifier: MIT
#include "grader/isolation/fork_servers.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "grader/isolation/probe.hpp"
#include "grader/system/command.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

Isolation isolation_at(IsolationLevel level) {
  Isolation isolation;
  isolation.level = level;
  isolation.keeper = ATTNGRADE_CELL;
  return isolation;
}

// L0, and L2 where the machine has it.
std::vector<IsolationLevel> granted_levels() {
  static const bool has_cells =
      probe_cells(isolation_at(IsolationLevel::level2)).obstacle.empty();
  if (!has_cells) {
    WARN("SKIPPED: no cells on this machine");
    return {IsolationLevel::level0};
  }
  return {IsolationLevel::level0, IsolationLevel::level2};
}

ServerPlan echo() {
  return {{ATTNGRADE_FORK_ECHO}, {"PATH=/usr/bin:/bin"}, {ATTNGRADE_FORK_ECHO}};
}

struct Staged {
  fs::path path = [] {
    std::string name = "/tmp/fork-test-XXXXXX";
    fs::path made = mkdtemp(name.data());
    fs::permissions(made, fs::perms::others_exec, fs::perm_options::add);
    return made;
  }();
  ~Staged() { fs::remove_all(path); }

  fs::path folder(const std::string& name, const std::string& text) const {
    fs::create_directories(path / name);
    std::ofstream(path / name / "file") << text;
    return path / name;
  }
};

class Forking {
 public:
  explicit Forking(IsolationLevel level)
      : servers_(isolation_at(level), staged_.path,
                 {.memory = std::uint64_t{1} << 30U, .processes = 600}) {}

  std::unique_ptr<Child> start(const std::vector<std::string>& told,
                               const std::vector<fs::path>& shown = {},
                               Channel channel = Channel::none,
                               std::vector<ResourceLimit> limits = {},
                               std::uint64_t processes = 512) {
    SpawnRequest request;
    request.argv = told;
    request.working_directory = "/tmp";
    request.channel = channel;
    request.limits = std::move(limits);
    Confinement confinement;
    confinement.shown = shown;
    confinement.processes = processes;
    return servers_.copy(plan, request, confinement);
  }

  CommandResult tell(const std::vector<std::string>& told,
                     const std::vector<fs::path>& shown = {}) {
    std::unique_ptr<Child> child = start(told, shown);
    REQUIRE(child != nullptr);
    return finish_command(std::move(child), {});
  }

  Staged& staged() { return staged_; }
  ForkServers& servers() { return servers_; }

  ServerPlan plan = echo();

 private:
  Staged staged_;
  ForkServers servers_;
};

std::set<pid_t> running_servers() {
  std::set<pid_t> servers;
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "cmdline");
    std::string line;
    std::getline(file, line);
    if (line.find(ATTNGRADE_FORK_ECHO) == 0) {
      servers.insert(std::stoi(process.path().filename().string()));
    }
  }
  return servers;
}

bool is_alive(pid_t pid) {
  return kill(pid, 0) == 0;
}

TEST_CASE("a copy does what it is told, and its output is its own") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    for (const char* word : {"one", "two", ""}) {
      const CommandResult result = forking.tell({"say", word});
      CHECK(result.succeeded());
      CHECK(result.standard_output == word);
    }
    CHECK(forking.servers().has_copied());
    CHECK(forking.servers().obstacles().empty());
  }
}

TEST_CASE("how a copy ended is told as it was") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    CHECK(forking.tell({"exit", "7"}).exit_status == 7);
    for (const int signal : {SIGKILL, SIGABRT, SIGSEGV, SIGTERM}) {
      CAPTURE(signal);
      CHECK(forking.tell({"signal", std::to_string(signal)}).signal == signal);
    }
  }
}

TEST_CASE("a copy has a channel, and limits of its own") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    auto child = forking.start({"channel"}, {}, Channel::socket);
    REQUIRE(child != nullptr);
    CHECK(write(child->requests(), "x", 1) == 1);
    while (!child->has_exited()) {
      std::this_thread::yield();
    }
    char byte = 0;
    CHECK(read(child->replies(), &byte, 1) == 1);
    CHECK(byte == 'x');
    CHECK(child->end().exit_status == 0);

    constexpr rlim_t bytes = rlim_t{64} << 20;
    auto greedy = forking.start({"allocate", "268435456"}, {}, Channel::none,
                                {{RLIMIT_AS, bytes, bytes}});
    REQUIRE(greedy != nullptr);
    CHECK(finish_command(std::move(greedy), {}).signal == SIGABRT);
    CHECK(forking.tell({"allocate", "268435456"}).succeeded());
  }
}

TEST_CASE("several copies live at the same time, and end without each other") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    auto first = forking.start({"wait"});
    auto second = forking.start({"wait"});
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    const pid_t pid = first->pid();
    CHECK(pid != second->pid());
    CHECK(is_alive(pid));
    CHECK(first->end().signal == SIGKILL);
    first.reset();
    CHECK_FALSE(second->has_exited());
    CHECK(is_alive(second->pid()));
    CHECK(forking.tell({"say", "still here"}).standard_output == "still here");
    // Reaped by the server, soon.
    for (int i = 0; i < 1000 && is_alive(pid); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK_FALSE(is_alive(pid));
  }
}

TEST_CASE("in a cell a copy sees its own files and starts nothing") {
  if (granted_levels().size() < 2) {
    return;
  }
  Forking forking(IsolationLevel::level2);
  const fs::path own = forking.staged().folder("own", "mine");
  const fs::path other = forking.staged().folder("other", "theirs");
  const auto read = [&](const fs::path& file) {
    return forking.tell({"read", file.string()}, {own}).standard_output;
  };
  CHECK(read(own / "file") == "mine");
  CHECK(read(other / "file").empty());
  CHECK(read(ATTNGRADE_FORK_ECHO).empty());
  CHECK(forking.tell({"write", (own / "file").string()}, {own}).exit_status ==
        1);
  CHECK(forking.tell({"write", "/tmp/left"}).succeeded());
  CHECK(read("/tmp/left").empty());
  CHECK(forking.tell({"start"}).signal == SIGSYS);
  CHECK(forking.tell({"copy"}).exit_status == EPERM);
  CHECK(forking.tell({"pid"}).standard_output == "2");
}

TEST_CASE("a copy may have all the processes that it is granted") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    rlimit own{};
    getrlimit(RLIMIT_NPROC, &own);
    // Without a cell the user's other programs would count.
    const bool is_limited = level != IsolationLevel::level0;
    for (const rlim_t granted : {rlim_t{16}, rlim_t{600}}) {
      auto child = forking.start({"processes"}, {}, Channel::none, {}, granted);
      REQUIRE(child != nullptr);
      const rlim_t limit =
          is_limited ? std::min(granted, own.rlim_max) : own.rlim_max;
      CHECK(finish_command(std::move(child), {}).standard_output ==
            std::to_string(limit));
    }
  }
}

TEST_CASE("without a cell a copy sees what everybody sees") {
  Forking forking(IsolationLevel::level0);
  const fs::path other = forking.staged().folder("other", "theirs");
  CHECK(forking.tell({"read", (other / "file").string()}).standard_output ==
        "theirs");
}

TEST_CASE("a server that cannot be is told once, with its last words") {
  Forking forking(IsolationLevel::level0);
  forking.plan.argv = {ATTNGRADE_FORK_ECHO, "broken"};
  CHECK(forking.start({"say", "x"}) == nullptr);
  CHECK(forking.start({"say", "x"}) == nullptr);
  const auto obstacles = forking.servers().obstacles();
  REQUIRE(obstacles.size() == 1);
  CHECK(obstacles.front().find("cannot find my library") != std::string::npos);
  forking.plan = echo();
  CHECK(forking.tell({"say", "x"}).standard_output == "x");
}

TEST_CASE("copies that cannot compute are none, which is told once") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    forking.plan.argv.emplace_back("lame");
    const fs::path folder = forking.staged().folder("own", "");
    CHECK(forking.start({"wait"}, {folder}) == nullptr);
    const auto obstacles = forking.servers().obstacles();
    REQUIRE(obstacles.size() == 1);
    CHECK(obstacles.front() ==
          "a copy of the warm process cannot compute: cannot add two numbers");
    CHECK_FALSE(forking.servers().has_copied());
    CHECK(running_servers().empty());
  }
}

TEST_CASE("a server that is warming up is the one that is copied") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    forking.servers().warm_up(forking.plan);
    const std::set<pid_t> warming = running_servers();
    CHECK_FALSE(warming.empty());
    forking.servers().warm_up(forking.plan);
    CHECK(forking.tell({"say", "x"}).standard_output == "x");
    forking.servers().warm_up(forking.plan);
    CHECK(running_servers() == warming);
  }
}

TEST_CASE("a server that was warmed up for nothing ends before the next") {
  Forking forking(IsolationLevel::level0);
  const ServerPlan wanted = forking.plan;
  forking.plan.argv.emplace_back("lame");
  forking.servers().warm_up(forking.plan);
  const std::set<pid_t> first = running_servers();
  forking.servers().warm_up(wanted);
  CHECK(first.size() == 1);
  CHECK(running_servers().size() == 1);
  CHECK(running_servers() != first);
}

TEST_CASE("a server that cannot warm up is met by the copy") {
  Forking forking(IsolationLevel::level0);
  forking.plan.argv.emplace_back("broken");
  forking.servers().warm_up(forking.plan);
  forking.plan.argv.front() = "/no/such/server";
  forking.servers().warm_up(forking.plan);
  CHECK(forking.servers().obstacles().empty());
  CHECK(forking.start({"say", "x"}) == nullptr);
  CHECK(forking.servers().obstacles().size() == 1);
}

TEST_CASE("a server that was killed is replaced") {
  for (const IsolationLevel level : granted_levels()) {
    CAPTURE(to_string(level));
    Forking forking(level);
    CHECK(forking.tell({"say", "x"}).succeeded());
    const std::set<pid_t> servers = running_servers();
    REQUIRE_FALSE(servers.empty());
    for (const pid_t server : servers) {
      kill(server, SIGKILL);
    }
    CHECK(forking.tell({"say", "y"}).standard_output == "y");
  }
}

TEST_CASE("each thread has a server of its own") {
  Forking forking(IsolationLevel::level0);
  CHECK(forking.tell({"say", "x"}).succeeded());
  std::string said;
  std::thread([&] {
    std::unique_ptr<Child> child = forking.start({"say", "from a thread"});
    said = child == nullptr
               ? ""
               : finish_command(std::move(child), {}).standard_output;
  }).join();
  CHECK(said == "from a thread");
  CHECK(forking.tell({"say", "still"}).standard_output == "still");
}

}  // namespace
}  // namespace grader
