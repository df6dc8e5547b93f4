// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <sys/socket.h>
#include <unistd.h>

#include "grader/system/error.hpp"
#include "grader/system/keeper.hpp"

namespace grader {
namespace {

bool send_report(const KeeperReport& report) {
  return send(keeper_channel, &report, sizeof report, MSG_NOSIGNAL) ==
         static_cast<ssize_t>(sizeof report);
}

}  // namespace

void fail_step(const std::string& what) {
  throw Error(Blame::environment, "cannot " + what + errno_text(errno));
}

void check_step(bool is_done, const std::string& what) {
  if (!is_done) {
    fail_step(what);
  }
}

void report_failure(const std::string& why) {
  KeeperReport report;
  report.word = KeeperWord::failed;
  std::copy_n(why.data(), std::min(why.size(), report.text.size() - 1),
              report.text.data());
  if (!send_report(report)) {  // started by hand
    std::cerr << "attngrade-cell: " << why << '\n';
  }
}

// The pid 1 of a namespace may vouch for any pid in it; the kernel translates
// that into the grader's.
void report_start(pid_t inmate) {
  const bool has_namespace = getpid() == 1;
  KeeperReport report;
  report.word = KeeperWord::started;
  report.inmate = has_namespace ? 0 : inmate;
  union {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(ucred))];
  } control{};
  const ucred credentials{has_namespace ? inmate : getpid(), geteuid(),
                          getegid()};
  iovec part{&report, sizeof report};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_CREDENTIALS;
  header->cmsg_len = CMSG_LEN(sizeof credentials);
  std::memcpy(CMSG_DATA(header), &credentials, sizeof credentials);
  sendmsg(keeper_channel, &message, MSG_NOSIGNAL);
}

bool report_end(const Ending& ending) {
  KeeperReport report;
  report.word = KeeperWord::ended;
  report.signal = ending.signal;
  report.exit_status = ending.exit_status;
  return send_report(report);
}

void report_closed(int kills_by_memory_limit) {
  KeeperReport report;
  report.word = KeeperWord::closed;
  report.out_of_memory = kills_by_memory_limit;
  send_report(report);
}

}  // namespace grader
