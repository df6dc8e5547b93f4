// SPDX-License-Identifier: MIT
// The keeper's side of system/keeper.hpp, and how a step of it fails.
#pragma once

#include <string>
#include <sys/types.h>

#include "grader/system/ending.hpp"
#include "grader/system/keeper.hpp"

namespace grader {

// The cell cannot be made: throws Error (environment), "cannot WHAT: errno".
[[noreturn]] void fail_step(const std::string& what);
void check_step(bool is_done, const std::string& what);

void report_failure(const std::string& why);
void report_bound(int group);
// A pid of the caller's namespace, of which it is the first process or which is
// the grader's.
void report_start(pid_t inmate);
// False: nobody hears it.
bool report_end(const Ending& ending, int reports = keeper_channel);
void report_closed(int kills_by_memory_limit);

}  // namespace grader
