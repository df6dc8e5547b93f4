// SPDX-License-Identifier: MIT
#pragma once

namespace grader {

// How a process ended.
struct Ending {
  int signal = 0;       // 0: it ended by itself
  int exit_status = 0;  // meaningful when signal is 0
  // The kernel killed it because all its processes together, their files in
  // memory included, were over the limit.
  bool is_out_of_memory = false;
};

}  // namespace grader
