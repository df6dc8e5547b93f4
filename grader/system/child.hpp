// SPDX-License-Identifier: MIT
// One child process, the leader of a session and process group of its own, that
// cannot outlive its owner. Linux: the child is killed when the *thread* that
// spawned it ends, so owner and spawning thread must be the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

#include "grader/system/ending.hpp"
#include "grader/system/file_descriptor.hpp"
#include "grader/system/inmate.hpp"
#include "grader/system/memory_kills.hpp"

namespace grader {

struct ResourceLimit {
  int resource = 0;  // RLIMIT_CPU, ...
  rlim_t soft = 0;
  rlim_t hard = 0;
};

// How owner and child talk to each other.
enum class Channel {
  none,
  socket,            // descriptor 3 of the child is a stream socket
  standard_streams,  // its stdin and stdout are two pipes
  packets,           // as socket, but of packets
};

struct SpawnRequest {
  std::vector<std::string> argv;         // argv[0] is an absolute path
  std::vector<std::string> environment;  // whole: nothing is inherited
  std::filesystem::path working_directory;
  std::vector<ResourceLimit> limits;
  Channel channel = Channel::none;
  // argv[0] is the keeper of a cell (keeper.hpp): the child is then the program
  // that it keeps there, its inmate.
  bool is_kept = false;
  std::filesystem::path counters = kernel_counters;  // memory_kills.hpp
};

class ForkServer;

class Child {
 public:
  // stdin is /dev/null where it is no channel, nothing but stdout, stderr and
  // the channel is inherited; signals are unblocked and have their default
  // action. Throws Error (environment) when the program cannot be started.
  explicit Child(const SpawnRequest& request);
  // A copy of the server, in a cell as the words of argv say
  // (isolation/cell/options.hpp). Of the request only these, the channel and
  // what is_kept count.
  Child(const SpawnRequest& request, std::shared_ptr<ForkServer> server);
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return inmate_ ? inmate_->pid() : pid_; }
  // Non-blocking ends of the child's stdout (-1 where that is the channel),
  // stderr, and of the channel for writing and for reading.
  int standard_output() const { return standard_output_.get(); }
  int standard_error() const { return standard_error_.get(); }
  int requests() const {
    return requests_.is_open() ? requests_.get() : replies_.get();
  }
  int replies() const { return replies_.get(); }
  // Readable when the process has ended; -1 (which poll ignores) on kernels
  // without pidfd_open.
  int exit_event() const {
    return inmate_ ? inmate_->reports() : exit_event_.get();
  }

  // Of a keeper's cell: processes that the kernel killed so far because all of
  // them were over the cell's limit of memory.
  int kills_for_memory() const;
  // Throws Error (environment) when the keeper of its cell died before it.
  bool has_exited();
  // CPU time of all its threads; empty once it has been reaped.
  std::optional<double> cpu_seconds() const;

  // SIGKILL to the whole group, whether or not the leader has ended, then
  // reaps it. How the *leader* ended: by itself, or by this SIGKILL. Processes
  // that left the group by setsid are out of reach here; of a cell nothing is
  // left.
  Ending end();

 private:
  // Its stdin, stdout and channel: closed here once it has them.
  struct ChildsEnds {
    FileDescriptor input;
    FileDescriptor output;
    FileDescriptor channel;
  };
  ChildsEnds make_streams(Channel channel);
  void await_inmate(FileDescriptor reports);
  void take_streams();
  void end_copy();

  bool machine_lacked_memory() const;

  pid_t pid_ = -1;  // of the keeper, where there is one
  std::filesystem::path counters_;
  std::optional<std::uint64_t> kills_before_;
  std::shared_ptr<ForkServer> server_;
  FileDescriptor copy_;  // what a server has made: with it all its cell ends
  int own_kills_before_ = 0;
  FileDescriptor standard_output_;
  FileDescriptor standard_error_;
  FileDescriptor requests_;  // closed where one socket serves both directions
  FileDescriptor replies_;
  FileDescriptor exit_event_;
  std::optional<Inmate> inmate_;
  std::optional<Ending> ending_;
};

}  // namespace grader
