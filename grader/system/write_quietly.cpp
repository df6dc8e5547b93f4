// SPDX-License-Identifier: MIT
#include "grader/system/write_quietly.hpp"

#include <cerrno>
#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace grader {

namespace {

bool is_pending(int signal) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, signal) == 1;
}

}  // namespace

// SIGPIPE of a write is sent to the writing thread: blocked there, it stays
// pending and is taken away again.
ssize_t write_quietly(int descriptor, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  const bool was_pending = is_pending(SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t count = write(descriptor, bytes.data(), bytes.size());
  const int error = errno;
  if (count < 0 && error == EPIPE && !was_pending) {
    const timespec no_wait{};
    while (sigtimedwait(&pipe_signal, nullptr, &no_wait) < 0 &&
           errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return count;
}

}  // namespace grader
