// SPDX-License-Identifier: MIT
// The programs that load a submission and answer the grader's calls.
#pragma once

#include <string_view>
#include <vector>

namespace grader {

struct HostFile {
  std::string_view name;  // "serve.py", "modules/study.py"
  std::string_view text;
};

// The files of the Python package attngrade_host, for a folder of that name.
// Python 3.8 or later is started with its start.py.
std::vector<HostFile> python_host_files();

}  // namespace grader
