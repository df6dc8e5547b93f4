// SPDX-License-Identifier: MIT
#include "grader/isolation/fork_servers.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
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

// Some libraries hang after a fork: seen on this copy, not on a submission. It
// runs beside the first one, which ends where this fails.
class Trial {
 public:
  Trial(const std::shared_ptr<ForkServer>& server, const ServerPlan& plan,
        const Isolation& isolation) {
    Confinement confinement;
    confinement.shown = plan.shown;
    SpawnRequest request;
    request.argv = {"probe", ""};
    request.working_directory = "/tmp";
    copy_ = std::make_unique<Child>(
        confine_copy(request, isolation, confinement), server);
  }

  void finish() {
    CommandLimits limits;
    limits.wall = std::chrono::seconds(5);
    const CommandResult result = finish_command(std::move(copy_), limits);
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

 private:
  std::unique_ptr<Child> copy_;
};

std::pair<std::thread::id, std::vector<std::string>> key_of(
    const ServerPlan& plan) {
  return {std::this_thread::get_id(), plan.argv};
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
  std::shared_ptr<ForkServer> server = find(plan);
  std::optional<Trial> trial;
  if (server == nullptr) {
    server = take_warming(plan);
    if (server == nullptr) {
      server = start(plan);
    }
    server->await_warmth(patience_to_load);
    trial.emplace(server, plan, isolation_);
  }
  auto child = std::make_unique<Child>(request, server);
  if (trial) {
    trial->finish();
    keep(plan, std::move(server));
  }
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

void ForkServers::warm_up(const ServerPlan& plan) {
  const Key key = key_of(plan);
  {
    const std::scoped_lock lock(mutex_);
    if (servers_.contains(key) || warming_.contains(key)) {
      return;
    }
    std::erase_if(warming_, [&key](const auto& other) {
      return other.first.first == key.first;
    });
  }
  try {
    std::shared_ptr<ForkServer> server = start(plan);
    const std::scoped_lock lock(mutex_);
    warming_[key] = std::move(server);
  } catch (const Error&) {
    return;  // copy() meets it again, and says it
  }
}

std::shared_ptr<ForkServer> ForkServers::find(const ServerPlan& plan) {
  const std::scoped_lock lock(mutex_);
  const auto found = servers_.find(key_of(plan));
  return found != servers_.end() && found->second->copies() < most_copies
             ? found->second
             : nullptr;
}

std::shared_ptr<ForkServer> ForkServers::take_warming(const ServerPlan& plan) {
  const std::scoped_lock lock(mutex_);
  auto node = warming_.extract(key_of(plan));
  return node.empty() ? nullptr : std::move(node.mapped());
}

void ForkServers::keep(const ServerPlan& plan,
                       std::shared_ptr<ForkServer> server) {
  const std::scoped_lock lock(mutex_);
  servers_[key_of(plan)] = std::move(server);
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
  return std::make_shared<ForkServer>(
      confine(std::move(request), isolation_, confinement));
}

void ForkServers::retire(const ServerPlan& plan) {
  const std::scoped_lock lock(mutex_);
  servers_.erase(key_of(plan));
}

}  // namespace grader
