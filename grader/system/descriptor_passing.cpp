// SPDX-License-Identifier: MIT
#include "grader/system/descriptor_passing.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>

#include "grader/system/error.hpp"

namespace grader {
namespace {

constexpr int first_number = 10;  // of received files: see child.cpp

// Aligned for its header.
union Control {
  cmsghdr header;
  std::array<char, CMSG_SPACE(most_passed_files * sizeof(int))> bytes;
};

msghdr message_of(iovec& part) {
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  return message;
}

FileDescriptor moved_up(int number) {
  const FileDescriptor low(number);
  return FileDescriptor(fcntl(number, F_DUPFD_CLOEXEC, first_number));
}

std::vector<FileDescriptor> files_of(const cmsghdr* header) {
  std::vector<FileDescriptor> files;
  if (header == nullptr || header->cmsg_level != SOL_SOCKET ||
      header->cmsg_type != SCM_RIGHTS) {
    return files;
  }
  std::array<int, most_passed_files> numbers{};
  const std::size_t size = header->cmsg_len - CMSG_LEN(0);
  std::memcpy(numbers.data(), CMSG_DATA(header), size);
  for (std::size_t i = 0; i < size / sizeof(int); ++i) {
    files.push_back(moved_up(numbers.at(i)));
  }
  return files;
}

std::size_t size_of_next(int socket) {
  ssize_t size = 0;
  do {
    size = recv(socket, nullptr, 0, MSG_PEEK | MSG_TRUNC);
  } while (size < 0 && errno == EINTR);
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

}  // namespace

void send_packet(int socket, const std::string& text,
                 const std::vector<int>& files) {
  std::string bytes = text + '\0';  // a packet without any would be the end
  iovec part{bytes.data(), bytes.size()};
  Control control{};
  msghdr message = message_of(part);
  if (!files.empty() && files.size() <= most_passed_files) {
    const std::size_t size = files.size() * sizeof(int);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(header), files.data(), size);
  }
  ssize_t count = 0;
  do {
    count = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  if (count != static_cast<ssize_t>(bytes.size())) {
    throw Error(Blame::environment,
                "cannot pass files to another process" + errno_text(errno));
  }
}

Packet receive_packet(int socket) {
  std::string bytes(size_of_next(socket), '\0');
  iovec part{bytes.data(), bytes.size()};
  Control control{};
  msghdr message = message_of(part);
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  ssize_t count = 0;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  Packet packet;
  packet.files = files_of(CMSG_FIRSTHDR(&message));
  packet.is_end = count <= 0;
  if (count > 0) {
    packet.text.assign(bytes.data(), static_cast<std::size_t>(count) - 1);
  }
  return packet;
}

}  // namespace grader
