// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/result_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "grader/isolation/cell/report.hpp"

namespace grader {

FileDescriptor make_result_file(const std::filesystem::path& path) {
  FileDescriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  check_step(file.is_open(), "make " + path.string());
  return file;
}

// Its size is bounded by that of the scratch disk.
void copy_result(const std::filesystem::path& path, const FileDescriptor& to) {
  const FileDescriptor from(
      open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  check_step(from.is_open() && fstat(from.get(), &status) == 0,
             "read " + path.string() + " in the cell");
  if (!S_ISREG(status.st_mode)) {
    errno = EINVAL;
    fail_step("take " + path.string() + ", which is no file");
  }
  ssize_t count = 0;
  do {
    count = sendfile(to.get(), from.get(), nullptr,
                     static_cast<std::size_t>(status.st_size));
    check_step(count >= 0, "copy " + path.string() + " out of the cell");
  } while (count > 0);
}

}  // namespace grader
