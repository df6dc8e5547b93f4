// SPDX-License-Identifier: MIT
// The library that a warm interpreter loads: serve_forks() for other languages.
#include <cstddef>
#include <exception>
#include <iostream>
#include <string>

#include "grader/isolation/cell/fork_server.hpp"
#include "grader/system/fork_protocol.hpp"

// The hooks are those of ForkHooks. Writes what a copy is told to `told`, each
// word with a NUL at its end, and returns how many bytes that are; -1 where it
// cannot serve, after a line on stderr.
extern "C" __attribute__((visibility("default"))) long attngrade_serve_forks(
    void (*before)(), void (*after_in_parent)(), void (*after_in_copy)(),
    char* told, std::size_t size) {
  try {
    const std::string words = grader::join_words(
        grader::serve_forks({before, after_in_parent, after_in_copy}));
    if (words.size() <= size) {
      words.copy(told, words.size());
      return static_cast<long>(words.size());
    }
    std::cerr << "attngrade: too many words for a copy\n";
  } catch (const std::exception& failure) {
    std::cerr << "attngrade: " << failure.what() << '\n';
  }
  return -1;
}
