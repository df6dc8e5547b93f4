// SPDX-License-Identifier: MIT
#include "grader/system/write_quietly.hpp"

#include <array>
#include <cerrno>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("bytes go through a pipe", "[write_quietly]") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  CHECK(write_quietly(ends[1], "abc") == 3);
  std::array<char, 8> buffer{};
  CHECK(read(ends[0], buffer.data(), buffer.size()) == 3);
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("a reader that is gone is an error and no signal",
          "[write_quietly]") {
  std::array<int, 2> ends{};
  for (const bool is_socket : {false, true}) {
    const int made = is_socket
                         ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data())
                         : pipe(ends.data());
    REQUIRE(made == 0);
    close(ends[0]);
    CHECK(write_quietly(ends[1], "abc") == -1);
    CHECK(errno == EPIPE);
    close(ends[1]);
  }
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  CHECK(sigismember(&blocked, SIGPIPE) == 0);
}

}  // namespace
}  // namespace grader
