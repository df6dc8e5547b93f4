// SPDX-License-Identifier: MIT
// A warm process that copies itself into cells: what it has loaded is paid for
// once. It never holds a byte of a submission, nor anything secret.
//
// It speaks system/fork_server.hpp on descriptor 3, and has one thread.
#pragma once

#include <string>
#include <vector>

namespace grader {

// What must happen around a fork; each may be null.
struct ForkHooks {
  void (*before)() = nullptr;
  void (*after_in_parent)() = nullptr;
  void (*after_in_copy)() = nullptr;
};

// Returns in a copy, an inmate with its descriptors 0 to 3, with what the
// grader told it. Ends the process when the grader is done with it.
std::vector<std::string> serve_forks(const ForkHooks& hooks);

}  // namespace grader
