// SPDX-License-Identifier: MIT
#include "grader/isolation/probe.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>

#include "grader/system/command.hpp"
#include "grader/system/error.hpp"

namespace grader {
namespace {

// A folder with a file that nobody else may read, and one to work in.
class PlantedFiles {
 public:
  PlantedFiles() {
    const char* parent = std::getenv("TMPDIR");
    std::string name =
        std::string(parent == nullptr || *parent == '\0' ? "/tmp" : parent) +
        "/attngrade-probe-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(Blame::environment,
                  "cannot make a folder for a trial of the isolation" +
                      errno_text(errno));
    }
    folder_ = name;
    // A submission without namespaces comes by here as somebody else.
    std::filesystem::permissions(folder_, std::filesystem::perms::others_exec,
                                 std::filesystem::perm_options::add);
    std::filesystem::create_directory(work());
    std::ofstream(secret()) << "secret";
    std::filesystem::permissions(secret(), std::filesystem::perms::owner_read);
  }
  ~PlantedFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  PlantedFiles(const PlantedFiles&) = delete;
  PlantedFiles& operator=(const PlantedFiles&) = delete;

  std::filesystem::path secret() const { return folder_ / "secret"; }
  std::filesystem::path work() const { return folder_ / "work"; }

 private:
  std::filesystem::path folder_;
};

// "NAME held" or "NAME open" a line.
std::vector<ProbeResult> read_results(const std::string& text) {
  std::vector<ProbeResult> results;
  std::istringstream words(text);
  std::string attack;
  std::string word;
  while (words >> attack >> word) {
    results.push_back({attack, word == "held"});
  }
  return results;
}

}  // namespace

bool Probing::holds_all() const {
  return obstacle.empty() && !results.empty() &&
         std::ranges::all_of(results, &ProbeResult::is_held);
}

Probing probe_cells(const Isolation& isolation) {
  if (isolation.keeper.empty()) {
    return {{}, "the program attngrade-cell is not beside this one"};
  }
  const PlantedFiles files;
  const std::string program = isolation.keeper.string();
  CommandLimits limits;
  limits.wall = std::chrono::seconds(20);
  Confinement confinement;
  confinement.shown = {isolation.keeper};
  confinement.memory = std::uint64_t{256} << 20U;
  const SpawnRequest request = command_request(
      {program, "--probe", files.secret().string(), std::to_string(getpid())},
      {}, files.work(), limits);
  Probing probing;
  try {
    const CommandResult result =
        run_command(confine(request, isolation, confinement), limits);
    probing.results = read_results(result.standard_output);
    probing.results.push_back({"programs", result.signal == SIGSYS});
  } catch (const Error& failure) {
    probing.obstacle = failure.what();
  }
  return probing;
}

}  // namespace grader
