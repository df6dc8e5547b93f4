// SPDX-License-Identifier: MIT
#include "grader/system/command.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <poll.h>
#include <signal.h>
#include <utility>

#include "grader/system/bounded_text.hpp"
#include "grader/system/child.hpp"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<ResourceLimit> resource_limits(const CommandLimits& limits) {
  // SIGXCPU at the soft limit tells a time-out from other deaths.
  const auto cpu = static_cast<rlim_t>(std::ceil(limits.cpu.count()));
  std::vector<ResourceLimit> result{
      {RLIMIT_CORE, 0, 0},
      {RLIMIT_CPU, cpu, cpu + 1},
      {RLIMIT_FSIZE, limits.file_size, limits.file_size}};
  if (limits.memory > 0) {
    result.push_back({RLIMIT_AS, limits.memory, limits.memory});
  }
  return result;
}

class Run {
 public:
  Run(Child& child, const CommandLimits& limits)
      : child_(child),
        limits_(limits),
        output_(limits.output / 2, limits.output / 2),
        error_(limits.output / 2, limits.output / 2) {}

  CommandResult to_its_end() {
    const auto deadline = Clock::now() + limits_.wall;
    CommandResult result;
    while (!child_.has_exited() && !result.timed_out) {
      wait_for_news();
      result.timed_out = Clock::now() >= deadline;
    }
    // Whoever else holds the pipes open dies with the group.
    const Ending ending = child_.end();
    drain(child_.standard_output(), output_);
    drain(child_.standard_error(), error_);
    result.signal = ending.signal;
    result.exit_status = ending.exit_status;
    result.machine_lacked_memory = ending.machine_lacked_memory;
    result.timed_out = result.timed_out || ending.signal == SIGXCPU;
    result.standard_output = output_.text();
    result.standard_error = error_.text();
    return result;
  }

  std::optional<std::string> to_output(std::string_view ending) {
    const auto deadline = Clock::now() + limits_.wall;
    while (Clock::now() < deadline && !is_over_limit()) {
      const bool has_exited = child_.has_exited();
      wait_for_news();
      std::string text = output_.text();
      if (text.ends_with(ending)) {
        drain(child_.standard_error(), error_);
        return text;
      }
      if (has_exited) {
        break;
      }
    }
    return std::nullopt;
  }

 private:
  bool is_over_limit() const {
    return output_.total() + error_.total() > limits_.output ||
           child_.cpu_seconds().value_or(0.0) > limits_.cpu.count();
  }

  void wait_for_news() {
    constexpr int look_again_ms = 50;
    std::array<pollfd, 3> events{{
        {is_output_open_ ? child_.standard_output() : -1, POLLIN, 0},
        {is_error_open_ ? child_.standard_error() : -1, POLLIN, 0},
        {child_.exit_event(), POLLIN, 0},
    }};
    poll(events.data(), events.size(), look_again_ms);
    if (events[0].revents != 0) {
      is_output_open_ = drain(events[0].fd, output_) == DrainResult::open;
    }
    if (events[1].revents != 0) {
      is_error_open_ = drain(events[1].fd, error_) == DrainResult::open;
    }
  }

  Child& child_;
  const CommandLimits& limits_;
  BoundedText output_;
  BoundedText error_;
  bool is_output_open_ = true;
  bool is_error_open_ = true;
};

}  // namespace

SpawnRequest command_request(const std::vector<std::string>& argv,
                             const std::vector<std::string>& environment,
                             const std::filesystem::path& working_directory,
                             const CommandLimits& limits) {
  SpawnRequest request;
  request.argv = argv;
  request.environment = environment;
  request.working_directory = working_directory;
  request.limits = resource_limits(limits);
  return request;
}

CommandResult run_command(const SpawnRequest& request,
                          const CommandLimits& limits) {
  return finish_command(std::make_unique<Child>(request), limits);
}

CommandResult finish_command(std::unique_ptr<Child> child,
                             const CommandLimits& limits) {
  return Run(*child, limits).to_its_end();
}

std::optional<std::string> await_output(Child& child, std::string_view ending,
                                        const CommandLimits& limits) {
  return Run(child, limits).to_output(ending);
}

CommandResult run_command(const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment,
                          const std::filesystem::path& working_directory,
                          const CommandLimits& limits) {
  return run_command(
      command_request(argv, environment, working_directory, limits), limits);
}

}  // namespace grader
