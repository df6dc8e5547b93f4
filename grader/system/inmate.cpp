// SPDX-License-Identifier: MIT
#include "grader/system/inmate.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <utility>

#include "grader/system/error.hpp"
#include "grader/system/group_kills.hpp"

namespace grader {

void accept_credentials(const FileDescriptor& reports) {
  const int yes = 1;
  setsockopt(reports.get(), SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
}

Inmate::Inmate(FileDescriptor reports) : reports_(std::move(reports)) {
  wait_for_start();
  if (report_.word == KeeperWord::started && pid_ > 0) {
    return;
  }
  report_.text.back() = '\0';
  throw Error(Blame::environment,
              is_lost_ ? "cannot isolate a submission: its keeper died"
                       : "cannot isolate a submission: " +
                             std::string(report_.text.data()));
}

void Inmate::wait_for_start() {
  constexpr int patience_ms = 60000;
  report_.word = KeeperWord::bounded;
  while (report_.word == KeeperWord::bounded) {
    pollfd event{reports_.get(), POLLIN, 0};
    const int count = poll(&event, 1, patience_ms);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count == 0) {
      throw Error(Blame::environment,
                  "cannot isolate a submission: its cell was not made within "
                  "60 s");
    }
    if (!hear(0)) {
      report_.word = KeeperWord::failed;
    }
  }
}

void Inmate::take(const msghdr& message) {
  for (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(const_cast<msghdr*>(&message),
                            const_cast<cmsghdr*>(header))) {
    if (header->cmsg_type == SCM_RIGHTS) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(header), sizeof number);
      group_ = FileDescriptor(number);
    } else if (report_.word == KeeperWord::started &&
               header->cmsg_type == SCM_CREDENTIALS) {
      ucred credentials{};
      std::memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
      has_namespace_ = report_.inmate == 0;
      pid_ = has_namespace_ ? credentials.pid : report_.inmate;
    }
  }
}

int Inmate::kills_for_memory() const {
  return group_.is_open() ? group_kills(group_.get()) : 0;
}

bool Inmate::hear(int flags) {
  union {  // aligned for the header of a control message
    cmsghdr header;
    std::array<char, CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(sizeof(int))> bytes;
  } control{};
  iovec part{&report_, sizeof report_};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  ssize_t count = 0;
  do {
    count = recvmsg(reports_.get(), &message, flags | MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count != static_cast<ssize_t>(sizeof report_)) {
    is_lost_ = count >= 0 || errno != EAGAIN;
    return false;
  }
  take(message);
  if (report_.word == KeeperWord::ended) {
    ending_ = Ending{report_.signal, report_.exit_status, false};
  }
  return true;
}

bool Inmate::has_ended() {
  while (!ending_ && hear(MSG_DONTWAIT)) {
  }
  if (!ending_ && is_lost_) {
    throw Error(Blame::environment,
                "cannot say how a submission ended: the keeper of its cell "
                "died before it");
  }
  return ending_.has_value();
}

Ending Inmate::ending() {
  int kills = 0;
  while (hear(MSG_DONTWAIT)) {
    if (report_.word == KeeperWord::closed) {
      kills = report_.out_of_memory;
    }
  }
  Ending ending = ending_.value_or(Ending{SIGKILL, 0, false});
  ending.own_kills = kills;
  ending.is_out_of_memory = kills > 0 && ending.signal == SIGKILL;
  ending_ = ending;
  return ending;
}

}  // namespace grader
