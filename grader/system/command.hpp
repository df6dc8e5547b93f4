// SPDX-License-Identifier: MIT
// Runs a helper program of the grader's own choosing (a compiler, an
// interpreter that is asked for its version) to its end, with its output
// captured. Submissions are not run this way: see worker/.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/system/child.hpp"

namespace grader {

struct CommandLimits {
  std::chrono::duration<double> wall{60.0};
  std::chrono::duration<double> cpu{60.0};
  std::uint64_t memory = 0;                          // bytes, 0 = no limit
  std::uint64_t file_size = std::uint64_t{1} << 28;  // bytes
  std::size_t output = std::size_t{1} << 20;  // kept bytes of each stream
};

struct CommandResult {
  int exit_status = -1;  // meaningful when signal is 0
  int signal = 0;
  bool timed_out = false;
  bool machine_lacked_memory = false;  // meanwhile; as in Ending
  std::string standard_output;
  std::string standard_error;

  bool succeeded() const {
    return !timed_out && signal == 0 && exit_status == 0;
  }
};

// argv[0] is an absolute path, `environment` is the whole environment
// ("NAME=value"), stdin is empty. The command is the leader of a process group
// that is killed as a whole at the end. Throws Error (environment) when it
// cannot be started.
CommandResult run_command(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment,
                          const std::filesystem::path& working_directory,
                          const CommandLimits& limits = {});

// The same in two steps, for a request that is changed between them.
SpawnRequest command_request(const std::vector<std::string>& argv,
                             const std::vector<std::string>& environment,
                             const std::filesystem::path& working_directory,
                             const CommandLimits& limits);
CommandResult run_command(const SpawnRequest& request,
                          const CommandLimits& limits);
// Of one that has been started.
CommandResult finish_command(std::unique_ptr<Child> child,
                             const CommandLimits& limits);

// What the child has printed, once it ends with `ending`; the child goes on.
// Nothing where it does not come so far within the limits of time and output.
std::optional<std::string> await_output(Child& child, std::string_view ending,
                                        const CommandLimits& limits);

}  // namespace grader
