// SPDX-License-Identifier: MIT
// Packets with open files between processes that trust each other: unix(7),
// SCM_RIGHTS.
#pragma once

#include <string>
#include <vector>

#include "grader/system/file_descriptor.hpp"

namespace grader {

struct Packet {
  std::string text;
  std::vector<FileDescriptor> files;  // numbers from 10 on, closed by exec
  bool is_end = false;                // the other end is closed
};

constexpr std::size_t most_passed_files = 8;

// `socket` is one of packets; `text` may be empty where there are files. Throws
// Error (environment), also when nobody is at the other end.
void send_packet(int socket, const std::string& text,
                 const std::vector<int>& files = {});

// Waits for one.
Packet receive_packet(int socket);

}  // namespace grader
