// SPDX-License-Identifier: MIT
#include "grader/submission/read_submission.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "grader/submission/sha256.hpp"
#include "grader/system/error.hpp"
#include "grader/system/file_descriptor.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

// Between discovery and now the name may have become a link, or a pipe that
// nobody writes to: neither is followed or waited for.
FileDescriptor open_file(const std::filesystem::path& path) {
  return FileDescriptor(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}

Problem unreadable(const Submission& submission, int error_number) {
  std::string text = "cannot read " + one_line(submission.typed.string()) +
                     errno_text(error_number);
  struct stat status {};
  if (error_number == EACCES && lstat(submission.path.c_str(), &status) == 0) {
    std::array<char, 8> mode{};
    std::snprintf(mode.data(), mode.size(), "%04o", status.st_mode & 07777U);
    text += std::string(" (mode ") + mode.data() + ", owner " +
            std::to_string(status.st_uid) + ")";
  }
  return {ProblemKind::unreadable, text + ". Nothing else was affected."};
}

std::optional<Problem> check_size(const Submission& submission,
                                  const struct stat& status) {
  const bool is_library = submission.form == Form::library;
  const auto limit = is_library ? library_size_limit : source_size_limit;
  if (static_cast<std::uint64_t>(status.st_size) <= limit) {
    return std::nullopt;
  }
  return Problem{ProblemKind::rejected,
                 "the file has " + std::to_string(status.st_size) +
                     " bytes, the limit for " +
                     (is_library ? "a shared library" : "a source file") +
                     " is " + std::to_string(limit >> 20U) + " MiB"};
}

// Up to one byte more than `size`, so that a file that grows is seen. Returns
// errno, or 0.
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

std::optional<Problem> take_bytes(Submission& submission) {
  const FileDescriptor file = open_file(submission.path);
  if (!file.is_open()) {
    return errno == ELOOP
               ? Problem{ProblemKind::rejected,
                         "a symbolic link, not a file: hand in the file itself"}
               : unreadable(submission, errno);
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0) {
    return unreadable(submission, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return Problem{ProblemKind::rejected, "not an ordinary file"};
  }
  if (auto problem = check_size(submission, status)) {
    return problem;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  SourceFile copy{submission.path.filename().string(), ""};
  if (const int error = read_bytes(file.get(), size, copy.bytes)) {
    return unreadable(submission, error);
  }
  if (copy.bytes.size() > size) {
    return Problem{ProblemKind::rejected, "the file grew while it was read"};
  }
  submission.sha256 = sha256(copy.bytes);
  if (copy.bytes.empty()) {
    return Problem{ProblemKind::empty, "empty file"};
  }
  submission.files.push_back(std::move(copy));
  return std::nullopt;
}

}  // namespace

void read_submission(Submission& submission) {
  const auto known = submission.problem;
  if (known && known->kind != ProblemKind::unsupported) {
    return;
  }
  auto found = take_bytes(submission);
  if (known) {
    submission.files.clear();
    return;
  }
  submission.problem = std::move(found);
}

}  // namespace grader
