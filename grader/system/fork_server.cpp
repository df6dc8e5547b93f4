// SPDX-License-Identifier: MIT
#include "grader/system/fork_server.hpp"

#include <cerrno>
#include <poll.h>
#include <utility>

#include "grader/system/bounded_text.hpp"
#include "grader/system/child.hpp"
#include "grader/system/descriptor_passing.hpp"
#include "grader/system/error.hpp"
#include "grader/system/fork_protocol.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

SpawnRequest with_packets(SpawnRequest request) {
  request.channel = Channel::packets;
  return request;
}

constexpr std::chrono::seconds patience_for_a_copy{20};

}  // namespace

ForkServer::ForkServer(SpawnRequest request)
    : server_(std::make_unique<Child>(with_packets(std::move(request)))) {}

ForkServer::~ForkServer() = default;

void ForkServer::await_warmth(std::chrono::seconds patience) {
  answer(patience);
}

FileDescriptor ForkServer::copy(const std::vector<std::string>& words,
                                const std::array<int, 4>& files) {
  ++copies_;
  send_packet(server_->replies(), join_words(words),
              {files.begin(), files.end()});
  FileDescriptor process = answer(patience_for_a_copy);
  if (!process.is_open()) {
    throw Error(Blame::environment,
                "a fork server says it is ready and does not copy itself");
  }
  return process;
}

int ForkServer::kills_for_memory() const {
  return server_->kills_for_memory();
}

std::string ForkServer::last_words() {
  BoundedText text(1024, 1024);
  drain(server_->standard_error(), text);
  const std::string said = last_line(text.text());
  return said.empty() ? "" : ": " + one_line(said);
}

// Nothing where it says that it is ready.
FileDescriptor ForkServer::answer(std::chrono::milliseconds patience) {
  pollfd event{server_->replies(), POLLIN, 0};
  int count = 0;
  do {
    count = poll(&event, 1, static_cast<int>(patience.count()));
  } while (count < 0 && errno == EINTR);
  if (count <= 0) {
    throw Error(Blame::environment,
                "a fork server does not answer" + last_words());
  }
  Packet packet = receive_packet(server_->replies());
  if (packet.is_end) {
    throw Error(Blame::environment, "a fork server ended" + last_words());
  }
  if (!packet.files.empty()) {
    return std::move(packet.files.front());
  }
  if (packet.text != fork_server_is_ready) {
    throw Error(Blame::environment, packet.text);
  }
  return {};
}

}  // namespace grader
