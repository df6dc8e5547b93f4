// SPDX-License-Identifier: MIT
// For tests: a warm process whose copies do what they are told.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "grader/isolation/cell/fork_server.hpp"

namespace {

int obey(const std::vector<std::string>& told) {
  const std::string& what = told.at(0);
  if (what == "say") {
    std::cout << told.at(1) << std::flush;
  } else if (what == "read") {
    std::cout << std::ifstream(told.at(1)).rdbuf() << std::flush;
  } else if (what == "write") {
    std::ofstream file(told.at(1));
    file << "written" << std::flush;
    return file.good() ? 0 : 1;
  } else if (what == "signal") {
    raise(std::stoi(told.at(1)));
  } else if (what == "exit") {
    return std::stoi(told.at(1));
  } else if (what == "start") {
    execl("/bin/true", "true", nullptr);
    return errno;
  } else if (what == "copy") {
    return fork() < 0 ? errno : 0;
  } else if (what == "wait") {
    pause();
  } else if (what == "allocate") {
    const std::size_t bytes = std::stoul(told.at(1));
    std::vector<char> memory(bytes, 'x');
    return bytes > 0 && memory.back() == 'x' ? 0 : 1;
  } else if (what == "channel") {
    char byte = 0;
    return read(3, &byte, 1) == 1 && write(3, &byte, 1) == 1 ? 0 : 1;
  } else if (what == "pid") {
    std::cout << getpid() << std::flush;
  } else if (what == "processes") {
    rlimit limit{};
    getrlimit(RLIMIT_NPROC, &limit);
    std::cout << limit.rlim_max << std::flush;
  }
  return 0;
}

}  // namespace

// Its arguments: "broken", it does not come up; "lame", no copy can compute.
int main(int argc, char** argv) {
  const std::string ailment = argc > 1 ? argv[1] : "";
  if (ailment == "broken") {
    std::cerr << "cannot find my library";
    return 1;
  }
  const std::vector<std::string> told = grader::serve_forks({});
  if (told.front() != "probe") {
    _exit(obey(told));
  }
  if (ailment == "lame") {
    std::cerr << "cannot add two numbers" << std::flush;
  }
  _exit(ailment.empty() ? 0 : 1);
}
