// SPDX-License-Identifier: MIT
// From the process that becomes the inmate to the warden: a text, or an open
// file.
#pragma once

#include <string>

#include "grader/system/file_descriptor.hpp"

namespace grader {

struct Passed {
  std::string text;
  FileDescriptor file;
  bool is_end = false;  // the other end is closed
};

void pass_text(int socket, const std::string& text);
void pass_file(int socket, int file);
Passed receive_passed(int socket);

}  // namespace grader
