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
  int own_kills = 0;  // processes of its cell that were killed for that
  // Meanwhile the machine killed others, or this one, for want of memory.
  bool machine_lacked_memory = false;
};

}  // namespace grader
