// SPDX-License-Identifier: MIT
// Owner of one file descriptor. Every descriptor of the grader is opened with
// O_CLOEXEC, for other threads may be starting children at any moment.
#pragma once

#include <unistd.h>
#include <utility>

namespace grader {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { close(); }

  FileDescriptor(FileDescriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

  // The number, which somebody else closes from now on.
  int release() { return std::exchange(number_, -1); }

  void close() {
    if (number_ >= 0) {
      ::close(std::exchange(number_, -1));
    }
  }

 private:
  int number_ = -1;
};

}  // namespace grader
