// SPDX-License-Identifier: MIT
#include "grader/worker/hosts.hpp"

namespace grader {

// Generated from attngrade_host/: see CMakeLists.txt.
std::string_view python_host_calling();
std::string_view python_host_channel();
std::string_view python_host_describing();
std::string_view python_host_errors();
std::string_view python_host_frameworks();
std::string_view python_host_imports();
std::string_view python_host_inspect_files();
std::string_view python_host_libraries();
std::string_view python_host_loading();
std::string_view python_host_magics();
std::string_view python_host_missing();
std::string_view python_host_notebook();
std::string_view python_host_package();
std::string_view python_host_results();
std::string_view python_host_serve();
std::string_view python_host_stand_ins();
std::string_view python_host_start();
std::string_view python_host_tensors();

std::vector<HostFile> python_host_files() {
  return {{"calling.py", python_host_calling()},
          {"channel.py", python_host_channel()},
          {"describing.py", python_host_describing()},
          {"errors.py", python_host_errors()},
          {"frameworks.py", python_host_frameworks()},
          {"imports.py", python_host_imports()},
          {"inspect_files.py", python_host_inspect_files()},
          {"libraries.py", python_host_libraries()},
          {"loading.py", python_host_loading()},
          {"magics.py", python_host_magics()},
          {"missing.py", python_host_missing()},
          {"notebook.py", python_host_notebook()},
          {"__init__.py", python_host_package()},
          {"results.py", python_host_results()},
          {"serve.py", python_host_serve()},
          {"stand_ins.py", python_host_stand_ins()},
          {"start.py", python_host_start()},
          {"tensors.py", python_host_tensors()}};
}

}  // namespace grader
