// SPDX-License-Identifier: MIT
#pragma once

namespace grader {

// Processes that a control group's own limit of memory has killed so far.
// `folder` is the group's, open, of version 1 or 2 (cgroups(7)).
int group_kills(int folder);

}  // namespace grader
