// SPDX-License-Identifier: MIT
#include "grader/isolation/probe.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

#include "grader/system/command.hpp"
#include "grader/system/error.hpp"

namespace grader {
namespace {

// A file that nobody else may read, beside which nobody else may write.
class PlantedFile {
 public:
  PlantedFile() {
    const char* folder = std::getenv("TMPDIR");
    path_ =
        std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) +
        "/attngrade-probe-XXXXXX";
    const FileDescriptor file(mkstemp(path_.data()));
    if (!file.is_open()) {
      throw Error(Blame::environment,
                  "cannot make a file in the folder of temporary files" +
                      errno_text(errno));
    }
  }
  ~PlantedFile() { unlink(path_.c_str()); }
  PlantedFile(const PlantedFile&) = delete;
  PlantedFile& operator=(const PlantedFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
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
  const PlantedFile file;
  const std::string program = isolation.keeper.string();
  CommandLimits limits;
  limits.wall = std::chrono::seconds(20);
  Confinement confinement;
  confinement.shown = {isolation.keeper};
  confinement.memory = std::uint64_t{256} << 20U;
  const SpawnRequest request = command_request(
      {program, "--probe", file.path(), std::to_string(getpid())}, {}, "/tmp",
      limits);
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
