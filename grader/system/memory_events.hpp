// SPDX-License-Identifier: MIT
#pragma once

namespace grader {

// Processes that a control group's limit of memory has killed: of an open
// memory.events of version 2 or memory.oom_control of version 1 (cgroups(7)).
int memory_kills(int events);

}  // namespace grader
