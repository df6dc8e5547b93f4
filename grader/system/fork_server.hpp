// SPDX-License-Identifier: MIT
// A warm process that copies itself for the grader (isolation/cell/
// fork_server.hpp is the other side).
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "grader/system/file_descriptor.hpp"

namespace grader {

class Child;
struct SpawnRequest;

class ForkServer {
 public:
  // Starts it. It ends with the thread that starts it, as every Child. Throws
  // Error (environment).
  explicit ForkServer(SpawnRequest request);
  ~ForkServer();

  // Once, before the first copy. Throws Error (environment), with what it said
  // last.
  void await_warmth(std::chrono::seconds patience);

  // Of the new process: what ends it, and all that is in its cell. `files` are
  // its stdout, stderr, channel and reports. Throws Error (environment).
  FileDescriptor copy(const std::vector<std::string>& words,
                      const std::array<int, 4>& files);

  // Copies that the kernel killed because all of them and the server were over
  // their limit of memory, so far.
  int kills_for_memory() const;
  std::size_t copies() const { return copies_; }

 private:
  std::string last_words();
  FileDescriptor answer(std::chrono::milliseconds patience);

  std::unique_ptr<Child> server_;
  std::size_t copies_ = 0;
};

}  // namespace grader
