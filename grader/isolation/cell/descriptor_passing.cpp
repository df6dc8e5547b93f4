// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/descriptor_passing.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

#include "grader/isolation/cell/report.hpp"

namespace grader {
namespace {

// Aligned for its header.
union Control {
  cmsghdr header;
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

msghdr message_of(iovec& part, Control& control) {
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  return message;
}

}  // namespace

void pass_text(int socket, const std::string& text) {
  send(socket, text.data(), text.size(), MSG_NOSIGNAL);
}

void pass_file(int socket, int file) {
  char one_byte = 0;  // a packet without any would be the end
  iovec part{&one_byte, 1};
  Control control{};
  const msghdr message = message_of(part, control);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  check_step(sendmsg(socket, &message, MSG_NOSIGNAL) == 1, "pass a file");
}

Passed receive_passed(int socket) {
  std::array<char, 512> bytes{};
  iovec part{bytes.data(), bytes.size()};
  Control control{};
  msghdr message = message_of(part, control);
  ssize_t count = 0;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  Passed passed;
  passed.is_end = count <= 0;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    int file = -1;
    std::memcpy(&file, CMSG_DATA(header), sizeof file);
    passed.file = FileDescriptor(file);
  } else if (count > 0) {
    passed.text.assign(bytes.data(), static_cast<std::size_t>(count));
  }
  return passed;
}

}  // namespace grader
