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

bool send_report(const KeeperReport& report, int reports = keeper_channel) {
  return send(reports, &report, sizeof report, MSG_NOSIGNAL) ==
         static_cast<ssize_t>(sizeof report);
}

// With it goes what the kernel makes of `data`: a file, or who sends it.
template <typename Data>
void send_report_with(int kind, const Data& data, KeeperReport report) {
  union {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof data)];
  } control{};
  iovec part{&report, sizeof report};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = kind;
  header->cmsg_len = CMSG_LEN(sizeof data);
  std::memcpy(CMSG_DATA(header), &data, sizeof data);
  sendmsg(keeper_channel, &message, MSG_NOSIGNAL);
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
  const ucred credentials{has_namespace ? inmate : getpid(), geteuid(),
                          getegid()};
  send_report_with(SCM_CREDENTIALS, credentials, report);
}

void report_bound(int group) {
  KeeperReport report;
  report.word = KeeperWord::bounded;
  send_report_with(SCM_RIGHTS, group, report);
}

bool report_end(const Ending& ending, int reports) {
  KeeperReport report;
  report.word = KeeperWord::ended;
  report.signal = ending.signal;
  report.exit_status = ending.exit_status;
  return send_report(report, reports);
}

void report_closed(int kills_by_memory_limit) {
  KeeperReport report;
  report.word = KeeperWord::closed;
  report.out_of_memory = kills_by_memory_limit;
  send_report(report);
}

}  // namespace grader
