// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "grader/isolation/cell/fork_server.hpp"
#include "grader/worker/native_host.hpp"

// With --fork-server: not itself, but in copies, one for each process of a
// submission.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--fork-server") {
    const std::vector<std::string> told = grader::serve_forks({});
    if (told.empty() || told.front() != "serve") {
      return 0;
    }
    errno = 0;  // as in a program that has just been started
    setenv("ATTNGRADE_CHANNEL", "3", 1);
    for (const std::string& word : told) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) {
        setenv(word.substr(0, equals).c_str(), word.c_str() + equals + 1, 1);
      }
    }
  }
  return grader::run_native_host();
}
