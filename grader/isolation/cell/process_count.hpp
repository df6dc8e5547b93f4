// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

namespace grader {

// What RLIMIT_NPROC has to be at least for one more process of this user, or
// up to twice that. The caller is no root and may make processes. /proc does
// not show all that count, those of other containers: the kernel is asked, by
// trying.
rlim_t processes_of_user();

}  // namespace grader
