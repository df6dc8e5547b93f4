// SPDX-License-Identifier: MIT
#include "grader/isolation/fork_servers.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "grader/system/command.hpp"
#include "grader/system/error.hpp"
#include "grader/system/fork_server.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// All copies have the same secrets of the run time: where memory lies, hashes.
constexpr std::size_t most_copies = 1000;

constexpr std::chrono::seconds patience_to_load{120};

// Its own, and of cells that are about to end.
constexpr std::uint64_t processes_of_server = 16;

// Some libraries hang after a fork: seen on this copy, not on a submission.
void try_out(const std::shared_ptr<ForkServer>& server, const ServerPlan& plan,
             const Isolation& isolation) {
  Confinement confinement;
  confinement.shown = plan.shown;
  SpawnRequest request;
  request.argv = {"probe", ""};
  request.working_directory = "/tmp";
  CommandLimits limits;
  limits.wall = std::chrono::seconds(5);
  const CommandResult result =
      finish_command(std::make_unique<Child>(
                         confine_copy(request, isolation, confinement), server),
                     limits);
  if (!result.succeeded()) {
    throw Error(Blame::environment,
                result.timed_out
                    ? "a copy of the warm process hangs when it computes"
                    : "a copy of the warm process cannot compute: " +
                          (result.signal != 0
                               ? "signal " + std::to_string(result.signal)
                               : one_line(result.standard_error)));
  }
}

}  // namespace

ForkServers::ForkServers(Isolation isolation, std::filesystem::path staged,
                         CopyLimits most)
    : isolation_(std::move(isolation)),
      staged_(std::move(staged)),
      most_(most) {}

ForkServers::~ForkServers() = default;

std::unique_ptr<Child> ForkServers::copy(const ServerPlan& plan,
                                         const SpawnRequest& request,
                                         const Confinement& confinement) {
  {
    const std::scoped_lock lock(mutex_);
    if (obstacles_.contains(plan.argv)) {
      return nullptr;
    }
  }
  const SpawnRequest confined = confine_copy(request, isolation_, confinement);
  try {
    return try_copy(plan, confined);
  } catch (const Error&) {
    retire(plan);
  }
  try {
    return try_copy(plan, confined);
  } catch (const Error& failure) {
    retire(plan);
    const std::scoped_lock lock(mutex_);
    obstacles_.emplace(plan.argv, failure.what());
    return nullptr;
  }
}

std::unique_ptr<Child> ForkServers::try_copy(const ServerPlan& plan,
                                             const SpawnRequest& request) {
  auto child = std::make_unique<Child>(request, server(plan));
  has_copied_ = true;
  return child;
}

std::vector<std::string> ForkServers::obstacles() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> texts;
  for (const auto& [argv, text] : obstacles_) {
    if (std::ranges::count(texts, text) == 0) {
      texts.push_back(text);
    }
  }
  return texts;
}

std::shared_ptr<ForkServer> ForkServers::server(const ServerPlan& plan) {
  const Key key{std::this_thread::get_id(), plan.argv};
  {
    const std::scoped_lock lock(mutex_);
    const auto found = servers_.find(key);
    if (found != servers_.end() && found->second->copies() < most_copies) {
      return found->second;
    }
  }
  std::shared_ptr<ForkServer> started = start(plan);
  const std::scoped_lock lock(mutex_);
  return servers_[key] = std::move(started);
}

std::shared_ptr<ForkServer> ForkServers::start(const ServerPlan& plan) {
  SpawnRequest request;
  request.argv = plan.argv;
  request.environment = plan.environment;
  request.working_directory = "/tmp";
  Confinement confinement;
  confinement.shown = plan.shown;
  confinement.shown.push_back(staged_);
  confinement.memory = most_.memory + memory_of_runtime;
  confinement.processes = most_.processes + processes_of_server;
  confinement.is_server = true;
  auto server = std::make_shared<ForkServer>(
      confine(std::move(request), isolation_, confinement), patience_to_load);
  try_out(server, plan, isolation_);
  return server;
}

void ForkServers::retire(const ServerPlan& plan) {
  const std::scoped_lock lock(mutex_);
  servers_.erase({std::this_thread::get_id(), plan.argv});
}

}  // namespace grader
