// SPDX-License-Identifier: MIT
#include "grader/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

using std::filesystem::path;

constexpr mode_t permissions = 0666;  // less the umask

std::string complaint(const path& file, int error_number) {
  return "cannot write " + one_line(file.string()) + errno_text(error_number);
}

int open_for_writing(const path& file, int flags) {
  return ::open(file.c_str(), O_WRONLY | O_CLOEXEC | flags, permissions);
}

// A link is followed, so that what it points to is replaced and not the link.
path resolved(const path& file) {
  std::error_code failure;
  path target = std::filesystem::weakly_canonical(file, failure);
  return failure ? file : target;
}

}  // namespace

OutputFile::OutputFile(path file)
    : path_(std::move(file)), target_(resolved(path_)) {
  std::error_code ignored;
  const auto type = std::filesystem::status(target_, ignored).type();
  if (type == std::filesystem::file_type::directory) {
    throw Error(Blame::usage, complaint(path_, EISDIR));
  }
  const bool is_plain = type == std::filesystem::file_type::regular ||
                        type == std::filesystem::file_type::not_found;
  if (is_plain) {
    temporary_ = target_;
    temporary_ += "." + std::to_string(::getpid()) + ".partial";
    descriptor_ = FileDescriptor(
        open_for_writing(temporary_, O_CREAT | O_TRUNC | O_NOFOLLOW));
  } else {
    descriptor_ = FileDescriptor(open_for_writing(target_, O_NOCTTY));
  }
  if (!descriptor_.is_open()) {
    const int error_number = errno;
    temporary_.clear();
    throw Error(Blame::usage, complaint(path_, error_number));
  }
  if (!temporary_.empty()) {
    remember_temporary(temporary_);
  }
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    forget_temporary(temporary_);
  }
}

void OutputFile::commit(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written =
        ::write(descriptor_.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      throw Error(Blame::environment, complaint(path_, errno));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  descriptor_.close();
  if (temporary_.empty()) {
    return;
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw Error(Blame::environment, complaint(path_, errno));
  }
  forget_temporary(temporary_);
  temporary_.clear();
}

}  // namespace grader
