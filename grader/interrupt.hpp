// SPDX-License-Identifier: MIT
// Ctrl-C: the first one ends the run after the submissions that are being
// graded, with everything cleaned up. A second one, or a few seconds, end the
// program at once; the kernel then kills its workers (see system/child.hpp).
#pragma once

#include <thread>

namespace grader {

// Thrown where a run is left; main turns it into the exit code 128 + signal.
struct Interrupted {
  int signal = 0;
};

// One in a program, made before its threads: they inherit the blocked signals.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  // Throws Interrupted when a signal has come.
  static void check();

 private:
  std::thread watcher_;
};

}  // namespace grader
