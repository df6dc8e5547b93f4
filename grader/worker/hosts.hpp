// SPDX-License-Identifier: MIT
// The programs that load a submission and answer the grader's calls.
#pragma once

#include <string_view>

namespace grader {

// The text of python_host.py, for a file that Python 3.8 or later is started
// with (options -I -B).
std::string_view python_host_source();

}  // namespace grader
