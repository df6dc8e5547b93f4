// SPDX-License-Identifier: MIT
#include "grader/submission/read_submission.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "grader/submission/entry.hpp"
#include "grader/submission/file_bytes.hpp"
#include "grader/submission/read_folder.hpp"
#include "grader/submission/sha256.hpp"
#include "grader/submission/unpack.hpp"
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

std::optional<Problem> check_size(Form form, const struct stat& status) {
  const SizeLimit limit =
      form == Form::archive
          ? SizeLimit{archive_size_limit, "an archive",
                      "Leave out what the function does not need"}
          : size_limit(form, ReadLimits{});
  if (static_cast<std::uint64_t>(status.st_size) <= limit.bytes) {
    return std::nullopt;
  }
  return Problem{ProblemKind::rejected,
                 "the file has " + std::to_string(status.st_size) +
                     " bytes, the limit for " + std::string(limit.of) + " is " +
                     size_text(limit.bytes) + ". " +
                     std::string(limit.next_step)};
}

// Its bytes, and their hash.
std::optional<Problem> take_bytes(Submission& submission, std::string& bytes) {
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
  if (auto what = why_no_file(status.st_mode)) {
    return Problem{ProblemKind::rejected, *what};
  }
  if (auto problem = check_size(submission.form, status)) {
    return problem;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (const int error = read_bytes(file.get(), size, bytes)) {
    return unreadable(submission, error);
  }
  if (bytes.size() > size) {
    return Problem{ProblemKind::rejected,
                   "the file grew while it was read. Hand it in again"};
  }
  submission.sha256 = sha256(bytes);
  if (bytes.empty()) {
    return Problem{ProblemKind::empty, "empty file"};
  }
  return std::nullopt;
}

std::string hash_of_all(const std::vector<SourceFile>& files) {
  std::string list;
  for (const SourceFile& file : files) {
    list += sha256(file.bytes) + "  " + file.name + "\n";
  }
  return sha256(list);
}

FilesOrProblem read_files(Submission& submission) {
  if (submission.form == Form::folder) {
    FilesOrProblem files = read_folder(submission.path);
    if (const auto* read = std::get_if<std::vector<SourceFile>>(&files)) {
      submission.sha256 = hash_of_all(*read);
    }
    return files;
  }
  std::string bytes;
  if (auto problem = take_bytes(submission, bytes)) {
    return std::move(*problem);
  }
  if (submission.form == Form::archive) {
    return unpack(bytes);
  }
  return std::vector<SourceFile>{
      {submission.path.filename().string(), std::move(bytes)}};
}

}  // namespace

void read_submission(Submission& submission) {
  const bool is_known_problem = submission.problem.has_value();
  if (is_known_problem &&
      submission.problem->kind != ProblemKind::unsupported) {
    return;
  }
  FilesOrProblem files = read_files(submission);
  if (is_known_problem) {
    return;
  }
  if (auto* problem = std::get_if<Problem>(&files)) {
    submission.problem = std::move(*problem);
  } else {
    submission.files = std::get<std::vector<SourceFile>>(std::move(files));
  }
}

}  // namespace grader
