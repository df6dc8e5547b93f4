// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/probe.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/system/file_descriptor.hpp"

namespace grader {
namespace {

struct Grader {
  std::string file;
  pid_t pid = 0;
};

bool opens(const std::string& path, int flags) {
  return FileDescriptor(open(path.c_str(), flags | O_CLOEXEC, 0600)).is_open();
}

bool reads_files(const Grader& grader) {
  return opens(grader.file, O_RDONLY) || opens("/etc/hostname", O_RDONLY);
}

bool writes_files(const Grader& grader) {
  return opens(grader.file, O_WRONLY) ||
         opens("/usr/attngrade-probe", O_WRONLY | O_CREAT) ||
         opens("/etc/attngrade-probe", O_WRONLY | O_CREAT);
}

bool sends_signals(const Grader& grader) {
  return kill(grader.pid, 0) == 0;
}

bool reads_memory(const Grader& grader) {
  return opens("/proc/" + std::to_string(grader.pid) + "/mem", O_RDONLY) ||
         opens("/proc/1/mem", O_RDONLY);
}

bool reaches_network(const Grader&) {
  return FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
             .is_open() ||
         FileDescriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
             .is_open();
}

bool starts_processes(const Grader&) {
  const pid_t pid = fork();
  if (pid == 0) {
    _exit(0);
  }
  if (pid > 0) {
    waitpid(pid, nullptr, 0);
  }
  return pid > 0;
}

bool leaves_messages(const Grader&) {
  const int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  if (segment >= 0) {
    shmctl(segment, IPC_RMID, nullptr);
  }
  return segment >= 0;
}

// More than the scratch disk holds, in files that no limit on one would stop.
bool fills_disks(const Grader&) {
  constexpr int file_count = 8;
  constexpr off_t size = off_t{16} << 20U;
  int filled = 0;
  for (int i = 0; i < file_count; ++i) {
    const std::string name = "disk-probe-" + std::to_string(i);
    const FileDescriptor file(
        open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    filled +=
        file.is_open() && posix_fallocate(file.get(), 0, size) == 0 ? 1 : 0;
  }
  for (int i = 0; i < file_count; ++i) {
    unlink(("disk-probe-" + std::to_string(i)).c_str());
  }
  return filled == file_count;
}

bool gains_rights(const Grader&) {
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || geteuid() == 0 ||
         setuid(0) == 0;
}

struct Attack {
  const char* name;
  bool (*succeeds)(const Grader&);
};

constexpr Attack attacks[] = {
    {"reading-files", reads_files}, {"writing-files", writes_files},
    {"signals", sends_signals},     {"memory-of-others", reads_memory},
    {"network", reaches_network},   {"processes", starts_processes},
    {"messages", leaves_messages},  {"disk", fills_disks},
    {"rights", gains_rights},
};

}  // namespace

int run_probe(int argc, char** argv) {
  constexpr int wanted = 4;
  if (argc != wanted) {
    return 1;
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on files is told by an error, too
  const Grader grader{argv[2], std::atoi(argv[3])};
  for (const Attack& attack : attacks) {
    std::cout << attack.name << (attack.succeeds(grader) ? " open" : " held")
              << std::endl;
  }
  char name[] = "true";
  char* const arguments[] = {name, nullptr};
  execve("/bin/true", arguments, nullptr);
  return 0;
}

}  // namespace grader
