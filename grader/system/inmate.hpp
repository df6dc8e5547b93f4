// SPDX-License-Identifier: MIT
// The process that a keeper runs for the grader, as the grader sees it.
#pragma once

#include <optional>
#include <sys/socket.h>
#include <sys/types.h>

#include "grader/system/ending.hpp"
#include "grader/system/file_descriptor.hpp"
#include "grader/system/keeper.hpp"

namespace grader {

class Inmate {
 public:
  // Waits until the program runs. Throws Error (environment) where there is no
  // cell, with the keeper's reason.
  explicit Inmate(FileDescriptor reports);

  // In the grader's process namespace. Not reaped, so nobody else's, until the
  // cell is closed.
  pid_t pid() const { return pid_; }
  // With the first process there all the others end.
  bool has_namespace() const { return has_namespace_; }
  int reports() const { return reports_.get(); }  // readable when it has ended

  // Throws Error (environment) when the keeper died before its inmate: that
  // says nothing about the inmate.
  bool has_ended();

  // By its keeper's limit, so far: of all in the cell.
  int kills_for_memory() const;

  // After the keeper's own end. An inmate that had not ended was killed.
  Ending ending();

 private:
  void wait_for_start();
  void take(const msghdr& message);
  // False: the keeper has nothing to say now, or ever (`is_lost_`).
  bool hear(int flags);

  FileDescriptor reports_;
  FileDescriptor group_;  // that bounds memory, if one does
  pid_t pid_ = -1;
  bool has_namespace_ = true;
  KeeperReport report_;
  std::optional<Ending> ending_;
  bool is_lost_ = false;
};

// Of the grader's end, before the keeper's first word: the kernel then says
// whose packets they are.
void accept_credentials(const FileDescriptor& reports);

}  // namespace grader
