// SPDX-License-Identifier: MIT
#include "grader/submission/file_bytes.hpp"

#include <cerrno>
#include <unistd.h>

namespace grader {

int read_bytes(int descriptor, std::size_t size, std::string& bytes) {
  bytes.resize(size + 1);
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count =
        read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return errno;
    }
    if (count == 0) {
      break;
    }
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return 0;
}

}  // namespace grader
