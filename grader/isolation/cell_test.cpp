// SPDX-License-Identifier: MIT
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "grader/isolation/confinement.hpp"
#include "grader/isolation/probe.hpp"
#include "grader/system/command.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

Isolation namespaces() {
  Isolation isolation;
  isolation.level = IsolationLevel::level2;
  isolation.keeper = ATTNGRADE_CELL;
  return isolation;
}

// Machines without user namespaces have no cells, and a test of the levels.
bool has_cells() {
  static const Probing probing = probe_cells(namespaces());
  if (!probing.obstacle.empty()) {
    WARN("SKIPPED: no cells on this machine: " << probing.obstacle);
  }
  return probing.obstacle.empty();
}

struct Folder {
  fs::path path = [] {
    std::string name = "/tmp/cell-test-XXXXXX";
    return fs::path(mkdtemp(name.data()));
  }();
  ~Folder() { fs::remove_all(path); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
};

CommandResult run_in_cell(const std::vector<std::string>& argv,
                          const Confinement& confinement = {},
                          const fs::path& work = "/tmp",
                          const CommandLimits& limits = {}) {
  return run_command(
      confine(command_request(argv, {"PATH=/usr/bin:/bin"}, work, limits),
              namespaces(), confinement),
      limits);
}

// By a shell that may start programs.
CommandResult run_script(const std::string& script,
                         Confinement confinement = {},
                         const fs::path& work = "/tmp") {
  confinement.may_start_programs = true;
  return run_in_cell({"/bin/sh", "-c", script}, confinement, work);
}

bool is_running(const std::string& argument) {
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "cmdline");
    std::string line;
    std::getline(file, line);
    if (line.find(argument) != std::string::npos) {
      return true;
    }
  }
  return false;
}

TEST_CASE("at L0 a request stays what it is", "[cell]") {
  SpawnRequest request;
  request.argv = {"/bin/true"};
  const SpawnRequest same = confine(request, {}, {});
  CHECK(same.argv == request.argv);
  CHECK_FALSE(same.is_kept);
}

TEST_CASE("a cell tells how its program ended", "[cell]") {
  if (!has_cells()) {
    return;
  }
  CHECK(run_in_cell({"/bin/true"}).succeeded());
  CHECK(run_in_cell({"/bin/sh", "-c", "exit 7"}).exit_status == 7);
  // The first process of a namespace would not be harmed by its own signal.
  CHECK(run_in_cell({"/bin/sh", "-c", "kill -KILL $$"}).signal == SIGKILL);
  CHECK(run_in_cell({"/bin/sh", "-c", "kill -SEGV $$"}).signal == SIGSEGV);
}

TEST_CASE("both streams of a program in a cell arrive", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const CommandResult result =
      run_in_cell({"/bin/sh", "-c", "echo one; echo two >&2"});
  CHECK(result.standard_output == "one\n");
  CHECK(result.standard_error == "two\n");
}

TEST_CASE("a program that is not in the cell is the grader's trouble",
          "[cell]") {
  if (!has_cells()) {
    return;
  }
  CHECK_THROWS_WITH(run_in_cell({"/no/such/program"}),
                    "cannot isolate a submission: cannot start "
                    "/no/such/program in the cell: No such file or directory");
}

TEST_CASE("a cell shows what it was told to, read-only", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const Folder folder;
  const fs::path shown = folder.write("shown", "text\n");
  fs::permissions(shown, fs::perms::all);
  folder.write("beside", "secret\n");
  Confinement confinement;
  confinement.shown = {shown, folder.path / "not there"};
  const std::string at = folder.path.string();
  const CommandResult result = run_script(
      "cat " + at + "/shown; ls " + at + "; echo more >> " + at + "/shown",
      confinement);
  CHECK(result.standard_output == "text\nshown\n");
  CHECK_THAT(result.standard_error, Catch::Matchers::Contains("Read-only"));
  CHECK(fs::file_size(shown) == 5);
}

TEST_CASE("a folder of what is shown can be hidden", "[cell]") {
  if (!has_cells()) {
    return;
  }
  Isolation isolation = namespaces();
  isolation.hidden = {"/usr/lib"};
  const CommandResult result = run_command(
      confine(
          command_request({"/bin/sh", "-c", "echo /usr/lib/*"}, {}, "/tmp", {}),
          isolation, {}),
      CommandLimits{});
  CHECK(result.standard_output == "/usr/lib/*\n");
}

TEST_CASE("the working directory is empty, and nothing stays of it", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const Folder folder;
  folder.write("outside", "");
  for (int run = 0; run < 2; ++run) {
    const CommandResult result =
        run_script("pwd; echo *; echo text > mine; cat mine; ln -s / /tmp/link",
                   {}, folder.path);
    CHECK(result.standard_output == folder.path.string() + "\n*\ntext\n");
    CHECK(result.standard_error.empty());
  }
  CHECK_FALSE(fs::exists(folder.path / "mine"));
  CHECK_FALSE(fs::exists("/tmp/link"));
}

TEST_CASE("the scratch disk of a cell is bounded", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const CommandResult bytes = run_script("cat /dev/zero > /tmp/large; exit 3");
  CHECK(bytes.exit_status == 3);
  CHECK_THAT(bytes.standard_error,
             Catch::Matchers::Contains("No space left on device"));
  const CommandResult files = run_script(
      "i=0; while mkdir /tmp/$i 2> /dev/null; do i=$((i+1)); done; echo $i");
  CHECK(std::stoi(files.standard_output) < 5000);
}

TEST_CASE("nothing outside of its working directory can be written", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const CommandResult result = run_script(
      "for folder in / /usr /etc /dev /proc /bin; do touch $folder/new; done");
  CHECK(result.exit_status != 0);
  CHECK_FALSE(fs::exists("/usr/new"));
  CHECK_FALSE(fs::exists("/etc/new"));
  const std::string text = result.standard_error;
  CHECK(std::count(text.begin(), text.end(), '\n') == 6);
}

TEST_CASE("limits are those of the program, not of what makes its cell",
          "[cell]") {
  if (!has_cells()) {
    return;
  }
  CommandLimits limits;
  limits.file_size = 1;
  CHECK(run_in_cell({"/bin/true"}, {}, "/tmp", limits).succeeded());
  limits.cpu = std::chrono::seconds(1);
  const CommandResult spins =
      run_in_cell({"/bin/sh", "-c", "while :; do :; done"}, {}, "/tmp", limits);
  CHECK(spins.timed_out);
}

TEST_CASE("a cell holds against every attack of the probe", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const Probing probing = probe_cells(namespaces());
  CHECK(probing.results.size() >= 10);
  for (const ProbeResult& result : probing.results) {
    INFO(result.attack);
    CHECK(result.is_held);
  }
}

TEST_CASE("what a program leaves behind dies with its cell", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  const CommandResult result = run_script(
      "(trap '' TERM HUP INT; exec setsid sleep 0.317e3) > /dev/null 2>&1 & "
      "echo left");
  CHECK(result.standard_output == "left\n");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
  CHECK_FALSE(is_running("0.317e3"));
}

TEST_CASE("those who wait in a cell use no processor time", "[cell]") {
  if (!has_cells()) {
    return;
  }
  const auto used = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
  };
  const auto before = used();
  CHECK(run_in_cell({"/bin/sleep", "3"}).succeeded());
  CHECK(used() - before < 2);
}

TEST_CASE("a stopped program is ended with its cell", "[cell]") {
  if (!has_cells()) {
    return;
  }
  CommandLimits limits;
  limits.wall = std::chrono::milliseconds(500);
  const CommandResult result =
      run_in_cell({"/bin/sh", "-c", "kill -STOP $$"}, {}, "/tmp", limits);
  CHECK(result.timed_out);
}

TEST_CASE("the memory of all processes of a cell is bounded where it can be",
          "[cell]") {
  Isolation isolation = namespaces();
  isolation.level = IsolationLevel::level3;
  if (!probe_cells(isolation).obstacle.empty()) {
    WARN("SKIPPED: no control group can be made on this machine");
    return;
  }
  Confinement confinement;
  confinement.memory = std::uint64_t{64} << 20U;
  const auto ending_of = [&](const std::string& script) {
    const SpawnRequest request = command_request(
        {"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}, "/tmp", {});
    confinement.may_start_programs = true;
    Child child(confine(request, isolation, confinement));
    while (!child.has_exited()) {
      usleep(1000);
    }
    return child.end();
  };
  const Ending greedy =
      ending_of("exec dd if=/dev/zero of=/dev/null bs=300M count=1");
  CHECK(greedy.signal == SIGKILL);
  CHECK(greedy.is_out_of_memory);
  // Nobody's limit was passed: it did this itself.
  CHECK_FALSE(ending_of("kill -KILL $$").is_out_of_memory);
}

Isolation without_namespaces() {
  Isolation isolation = namespaces();
  isolation.level = IsolationLevel::level1;
  return isolation;
}

TEST_CASE("without namespaces only the disk is open", "[cell]") {
  if (syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) < 1) {
    WARN("SKIPPED: this kernel has no rules for files (Landlock)");
    return;
  }
  const Probing probing = probe_cells(without_namespaces());
  REQUIRE(probing.obstacle.empty());
  for (const ProbeResult& result : probing.results) {
    INFO(result.attack);
    CHECK(result.is_held == (result.attack != "disk"));
  }
}

TEST_CASE("without namespaces what a program leaves behind dies, too",
          "[cell]") {
  const Folder folder;
  Confinement confinement;
  confinement.may_start_programs = true;
  const SpawnRequest request = command_request(
      {"/bin/sh", "-c",
       "(trap '' TERM HUP INT; exec setsid sleep 0.318e3) & echo left"},
      {"PATH=/usr/bin:/bin"}, folder.path, {});
  const CommandResult result = run_command(
      confine(request, without_namespaces(), confinement), CommandLimits{});
  CHECK(result.standard_output == "left\n");
  CHECK_FALSE(is_running("0.318e3"));
}

CommandResult run_without_namespaces(const std::string& script,
                                     const fs::path& work) {
  Confinement confinement;
  confinement.may_start_programs = true;
  const SpawnRequest request = command_request(
      {"/bin/sh", "-c", script},
      {"PATH=/usr/bin:/bin", "HOME=" + work.string(), "TMPDIR=/elsewhere"},
      work, {});
  return run_command(confine(request, without_namespaces(), confinement), {});
}

TEST_CASE("without namespaces each cell has an empty folder, which is removed",
          "[cell]") {
  const Folder folder;
  for (int i = 0; i < 2; ++i) {
    const CommandResult result = run_without_namespaces(
        "ls -A; test \"$HOME\" = \"$PWD\" && echo home; echo $TMPDIR; "
        "ls -A .. 2>&1 | grep -c denied; "
        "mkdir -p deep/er && : > deep/er/file && umask 777 && mkdir sealed",
        folder.path);
    CHECK(result.standard_output == "home\n/elsewhere\n1\n");
    CHECK(result.succeeded());
    CHECK(fs::is_empty(folder.path));
  }
}

TEST_CASE("without namespaces two cells of one submission do not meet",
          "[cell]") {
  const Folder folder;
  Confinement confinement;
  confinement.may_start_programs = true;
  const SpawnRequest request =
      confine(command_request({"/bin/sh", "-c", "touch mine; exec sleep 300"},
                              {"PATH=/usr/bin:/bin"}, folder.path, {}),
              without_namespaces(), confinement);
  {
    Child first(request);
    CHECK(run_without_namespaces("ls -A", folder.path).standard_output.empty());
    CHECK_FALSE(first.has_exited());
  }
  CHECK(fs::is_empty(folder.path));
}

// Threads count as processes.
struct Crowd {
  static constexpr int size = 700;
  pid_t leader = fork();

  Crowd() {
    if (leader != 0) {
      for (int i = 0; i < 1000 && !is_there(); ++i) {
        usleep(10000);
      }
      return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) {
      _exit(1);
    }
    for (int i = 0; i < size; ++i) {
      std::thread([] { pause(); }).detach();
    }
    pause();
    _exit(0);
  }
  ~Crowd() {
    kill(leader, SIGKILL);
    waitpid(leader, nullptr, 0);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  bool is_there() const {
    const auto tasks =
        fs::directory_iterator("/proc/" + std::to_string(leader) + "/task");
    return std::distance(begin(tasks), end(tasks)) > size;
  }
};

TEST_CASE("what else the user runs leaves a cell its processes", "[cell]") {
  const Folder folder;
  const Crowd crowd;
  REQUIRE(crowd.is_there());
  const char* script = "for i in 1 2 3 4 5; do sleep 1 & done; echo alive";
  CHECK(run_without_namespaces(script, folder.path).standard_output ==
        "alive\n");
  if (has_cells()) {
    CHECK(run_script(script).standard_output == "alive\n");
  }
}

TEST_CASE("without namespaces processes are bounded all the same", "[cell]") {
  const Folder folder;
  const CommandResult result = run_without_namespaces(
      "i=0; while :; do sleep 30 & i=$((i+1)); echo $i; done", folder.path);
  CHECK(result.exit_status != 0);
  CHECK_THAT(result.standard_error, Catch::Matchers::Contains("fork"));
  const std::string& numbers = result.standard_output;
  const std::size_t line = numbers.rfind('\n', numbers.size() - 2);
  CHECK(std::stoi(numbers.substr(line + 1)) >= 500);
  CHECK(std::stoi(numbers.substr(line + 1)) <= 512 + 64);
}

pid_t parent_of(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::string word;
  while (status >> word && word != "PPid:") {
  }
  pid_t parent = 0;
  status >> parent;
  return parent;
}

TEST_CASE("a cell that breaks says nothing of its program", "[cell]") {
  if (!has_cells()) {
    return;
  }
  for (const int generations : {1, 2}) {  // the first process, the keeper
    Child child(confine(command_request({"/bin/sleep", "300"}, {}, "/tmp", {}),
                        namespaces(), {}));
    pid_t victim = child.pid();
    for (int i = 0; i < generations; ++i) {
      victim = parent_of(victim);
    }
    REQUIRE(victim > 1);
    kill(victim, SIGKILL);
    CHECK_THROWS_WITH(
        [&] {
          while (!child.has_exited()) {
            usleep(1000);
          }
        }(),
        "cannot say how a submission ended: the keeper of its cell died "
        "before it");
  }
}

TEST_CASE("without a keeper there is no cell, and it is said", "[cell]") {
  Isolation isolation = namespaces();
  isolation.keeper.clear();
  const Probing probing = probe_cells(isolation);
  CHECK_FALSE(probing.holds_all());
  CHECK(probing.obstacle ==
        "the program attngrade-cell is not beside this one");
}

TEST_CASE("a keeper that is no keeper is the grader's trouble", "[cell]") {
  Isolation isolation = namespaces();
  isolation.keeper = "/bin/true";
  const Probing probing = probe_cells(isolation);
  CHECK(probing.obstacle == "cannot isolate a submission: its keeper died");
}

}  // namespace
}  // namespace grader
