// SPDX-License-Identifier: MIT
#include "grader/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <string_view>
#include <unistd.h>

#include "grader/submission/temporary_folder.hpp"

namespace grader {
namespace {

std::atomic<int> received_signal = 0;

constexpr int wake_up = SIGUSR1;  // ends the watcher itself
constexpr std::time_t grace = 5;  // seconds between the signal and the end

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, wake_up}) {
    sigaddset(&signals, signal);
  }
  return signals;
}

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t ignored =
      ::write(STDERR_FILENO, text.data(), text.size());
}

void watch() {
  const sigset_t signals = watched_signals();
  int signal = 0;
  sigwait(&signals, &signal);
  if (signal == wake_up) {
    return;
  }
  received_signal = signal;
  say("\nattngrade: interrupted; again to stop at once\n");
  const timespec patience{.tv_sec = grace, .tv_nsec = 0};
  if (sigtimedwait(&signals, nullptr, &patience) != wake_up) {
    constexpr int signal_base = 128;
    remove_temporaries();
    ::_exit(signal_base + signal);
  }
}

}  // namespace

InterruptWatch::InterruptWatch() {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  watcher_ = std::thread(watch);
}

InterruptWatch::~InterruptWatch() {
  pthread_kill(watcher_.native_handle(), wake_up);
  watcher_.join();
}

void InterruptWatch::check() {
  if (const int signal = received_signal; signal != 0) {
    throw Interrupted{signal};
  }
}

}  // namespace grader
