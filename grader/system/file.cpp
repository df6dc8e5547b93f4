// SPDX-License-Identifier: MIT
#include "grader/system/file.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/system/error.hpp"
#include "grader/system/file_descriptor.hpp"

namespace grader {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path,
                       const std::string& cause) {
  throw Error(Blame::usage, "cannot read " + path.string() + cause);
}

}  // namespace

std::string read_file(const std::filesystem::path& path,
                      std::size_t max_bytes) {
  // O_NONBLOCK: opening a pipe without a writer would wait for ever.
  const FileDescriptor file(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!file.is_open() || fstat(file.get(), &status) != 0) {
    fail(path, errno_text(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    fail(path, ": not a regular file");
  }
  std::string bytes;
  std::array<char, 65536> buffer{};
  while (bytes.size() <= max_bytes) {
    const ssize_t count = read(file.get(), buffer.data(), buffer.size());
    if (count == 0) {
      return bytes;
    }
    if (count < 0) {
      fail(path, errno_text(errno));
    }
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  fail(path, ": larger than " + std::to_string(max_bytes) + " bytes");
}

}  // namespace grader
