// SPDX-License-Identifier: MIT
// The fork lane: submissions run in copies of warm processes, which have loaded
// the interpreter and its libraries once.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "grader/isolation/confinement.hpp"
#include "grader/system/child.hpp"

namespace grader {

class ForkServer;

// Makes a server.
struct ServerPlan {
  std::vector<std::string> argv;         // argv[0] is an absolute path
  std::vector<std::string> environment;  // whole
  std::vector<std::filesystem::path> shown;
};

struct CopyLimits {
  std::uint64_t memory = 0;     // bytes, files in memory included
  std::uint64_t processes = 0;  // and threads
};

// Of a run; used from several threads. A thread's servers end with it.
class ForkServers {
 public:
  // `staged` is the folder of all submissions: a server sees it, of its copies
  // each its own part. `most`: what a copy may be confined to; a server, whose
  // limits hold for its copies too, has more. At L1 there are no servers.
  ForkServers(Isolation isolation, std::filesystem::path staged,
              CopyLimits most);
  ~ForkServers();

  const Isolation& isolation() const { return isolation_; }

  // Starts the server of a plan that this thread will soon want a copy of, and
  // does not wait until it is warm. One at a time: another plan's takes its
  // place. A failure is left to copy(), which tries again.
  void warm_up(const ServerPlan& plan);

  // Of the plan's server, in a cell of its own; request.argv is what it is
  // told. Null where there can be no such server: then obstacles() says why.
  std::unique_ptr<Child> copy(const ServerPlan& plan,
                              const SpawnRequest& request,
                              const Confinement& confinement);

  bool has_copied() const { return has_copied_; }
  // Why what was asked for does not run in this lane, a text each.
  std::vector<std::string> obstacles();

 private:
  using Key = std::pair<std::thread::id, std::vector<std::string>>;

  std::shared_ptr<ForkServer> start(const ServerPlan& plan);
  std::shared_ptr<ForkServer> find(const ServerPlan& plan);
  std::shared_ptr<ForkServer> take_warming(const ServerPlan& plan);
  void keep(const ServerPlan& plan, std::shared_ptr<ForkServer> server);
  std::unique_ptr<Child> try_copy(const ServerPlan& plan,
                                  const SpawnRequest& request);
  void retire(const ServerPlan& plan);

  Isolation isolation_;
  std::filesystem::path staged_;
  CopyLimits most_;
  std::atomic<bool> has_copied_ = false;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<ForkServer>> servers_;
  std::map<Key, std::shared_ptr<ForkServer>> warming_;         // one a thread
  std::map<std::vector<std::string>, std::string> obstacles_;  // by argv
};

}  // namespace grader
