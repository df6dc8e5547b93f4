// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/filter.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/isolation/cell/report.hpp"

namespace grader {
namespace {

// A name that libseccomp does not know is no call of this machine, or a newer
// one than it: those are unknown_calls.
constexpr const char* refused_calls[] = {
    // The network. The pairs that asyncio makes reach nobody else.
    "socket", "connect", "bind", "listen", "accept", "accept4",
    // Memory that no limit counts, messages that outlive a process.
    "shmget", "shmat", "shmctl", "shmdt", "semget", "semctl", "semop",
    "semtimedop", "msgget", "msgctl", "msgsnd", "msgrcv", "mq_open",
    "mq_unlink", "add_key", "request_key", "keyctl",
    // Ways around files, or into the kernel's less trodden parts.
    "name_to_handle_at", "fanotify_init", "perf_event_open", "userfaultfd",
    "modify_ldt", "process_vm_readv", "kcmp", "personality", "lookup_dcookie",
    "mknod", "mknodat", "chroot"};

// Libraries take another way where the kernel does not have these. clone3
// cannot be looked into: its flags are in memory.
constexpr const char* absent_calls[] = {
    "clone3",         "memfd_create",      "memfd_secret", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "io_setup"};

constexpr const char* deadly_calls[] = {"ptrace",
                                        "process_vm_writev",
                                        "pidfd_getfd",
                                        "bpf",
                                        "setns",
                                        "unshare",
                                        "mount",
                                        "umount2",
                                        "pivot_root",
                                        "open_tree",
                                        "move_mount",
                                        "fsopen",
                                        "fsconfig",
                                        "fsmount",
                                        "fspick",
                                        "mount_setattr",
                                        "open_by_handle_at",
                                        "kexec_load",
                                        "kexec_file_load",
                                        "init_module",
                                        "finit_module",
                                        "delete_module",
                                        "swapon",
                                        "swapoff",
                                        "reboot",
                                        "acct",
                                        "quotactl",
                                        "iopl",
                                        "ioperm",
                                        "settimeofday",
                                        "clock_settime",
                                        "sethostname",
                                        "setdomainname",
                                        "vhangup",
                                        "uselib"};

// Of the terminal of whoever started the grader; and signals to the owner of a
// file, who may be anybody.
constexpr scmp_datum_t refused_requests[] = {TIOCSTI, TIOCLINUX, FIOSETOWN,
                                             SIOCSPGRP, FIOASYNC};

// A lease on a file of the interpreter, which belongs to the same user, lets
// everybody else who opens it wait; likewise signals to an owner.
constexpr int refused_commands[] = {F_SETLEASE, F_NOTIFY, F_SETOWN, F_SETOWN_EX,
                                    F_SETSIG};

// Where files are those of everybody: rights and times of files that can only
// be read may be changed by their owner all the same.
constexpr const char* changes_of_files[] = {
    "chmod",        "fchmod",      "fchmodat",  "chown",     "fchown",
    "lchown",       "fchownat",    "utime",     "utimes",    "futimesat",
    "utimensat",    "setxattr",    "lsetxattr", "fsetxattr", "removexattr",
    "lremovexattr", "fremovexattr"};

// Their first argument is a process: 0 is the calling one.
constexpr const char* settings_of_processes[] = {
    "prlimit64",     "sched_setaffinity", "sched_setscheduler",
    "sched_setattr", "sched_setparam",    "migrate_pages",
    "move_pages"};

constexpr scmp_datum_t namespace_flags[] = {
    CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNS,    CLONE_NEWIPC,
    CLONE_NEWUTS,  CLONE_NEWNET, CLONE_NEWCGROUP};

constexpr scmp_datum_t low_half = 0xffffffff;

void check_filter(int result) {
  errno = -result;
  check_step(result == 0, "make the filter of system calls");
}

void set(const Filter& filter, scmp_filter_attr attribute,
         std::uint32_t value) {
  check_filter(seccomp_attr_set(filter.get(), attribute, value));
}

void add(const Filter& filter, std::uint32_t action, const char* name) {
  const int number = seccomp_syscall_resolve_name(name);
  // Negative: of another architecture, not of this one.
  if (number >= 0) {
    check_filter(
        seccomp_rule_add_exact_array(filter.get(), action, number, 0, nullptr));
  }
}

void add_if(const Filter& filter, const char* name,
            const scmp_arg_cmp& condition) {
  check_filter(seccomp_rule_add_exact_array(filter.get(), SCMP_ACT_ERRNO(EPERM),
                                            seccomp_syscall_resolve_name(name),
                                            1, &condition));
}

// Where the low half of the argument, all that the kernel looks at, has
// `value` in the bits of `mask`.
void add_masked(const Filter& filter, const char* name, unsigned argument,
                scmp_datum_t mask, scmp_datum_t value) {
  add_if(filter, name, {argument, SCMP_CMP_MASKED_EQ, mask, value});
}

bool is_known(int number) {
  char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  const bool result = name != nullptr;
  std::free(name);
  return result;
}

// Libraries ask for a new call and fall back, so it does not exist here. The
// filter's conditions on the calls of today would say nothing about it.
void add_unknown_calls(const Filter& filter) {
  constexpr int beyond_all_calls = 600;
  for (int number = beyond_all_calls; !is_known(number); --number) {
    check_filter(seccomp_rule_add_exact_array(
        filter.get(), SCMP_ACT_ERRNO(ENOSYS), number, 0, nullptr));
  }
}

// Of datagrams each says whom it is for: a socket of the machine, maybe.
void allow_pairs_of_streams(const Filter& filter) {
  constexpr scmp_datum_t kind = 0xf;
  add_if(filter, "socketpair", {0, SCMP_CMP_NE, AF_UNIX, 0});
  for (scmp_datum_t other = 0; other <= kind; ++other) {
    if (other != SOCK_STREAM && other != SOCK_SEQPACKET) {
      add_masked(filter, "socketpair", 1, kind, other);
    }
  }
}

void forbid_programs(const Filter& filter, Programs programs) {
  add(filter,
      programs == Programs::one ? SCMP_ACT_NOTIFY : SCMP_ACT_KILL_PROCESS,
      "execve");
  add(filter, SCMP_ACT_KILL_PROCESS, "execveat");
  add(filter, SCMP_ACT_ERRNO(EPERM), "fork");
  add(filter, SCMP_ACT_ERRNO(EPERM), "vfork");
  add_masked(filter, "clone", 0, CLONE_THREAD, 0);
}

}  // namespace

Filter make_filter(Programs programs) {
  Filter filter(seccomp_init(SCMP_ACT_ALLOW));
  errno = ENOMEM;
  check_step(filter != nullptr, "make the filter of system calls");
  set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree, not a list
  for (const char* name : refused_calls) {
    add(filter, SCMP_ACT_ERRNO(EPERM), name);
  }
  for (const char* name : absent_calls) {
    add(filter, SCMP_ACT_ERRNO(ENOSYS), name);
  }
  for (const char* name : deadly_calls) {
    add(filter, SCMP_ACT_KILL_PROCESS, name);
  }
  for (const scmp_datum_t request : refused_requests) {
    add_masked(filter, "ioctl", 1, low_half, request);
  }
  for (const int command : refused_commands) {
    add_masked(filter, "fcntl", 1, low_half,
               static_cast<scmp_datum_t>(command));
  }
  allow_pairs_of_streams(filter);
  if (programs == Programs::any) {
    for (const scmp_datum_t flag : namespace_flags) {
      add_masked(filter, "clone", 0, flag, flag);
    }
  } else {
    forbid_programs(filter, programs);
  }
  add_unknown_calls(filter);
  return filter;
}

void forbid_touching_others(const Filter& filter) {
  const auto own = static_cast<scmp_datum_t>(getpid());
  for (const char* name :
       {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"}) {
    add_if(filter, name, {0, SCMP_CMP_NE, own, 0});
  }
  for (const char* name : {"tkill", "pidfd_open", "pidfd_send_signal",
                           "setpriority", "ioprio_set"}) {
    add(filter, SCMP_ACT_ERRNO(EPERM), name);
  }
  for (const char* name : settings_of_processes) {
    add_if(filter, name, {0, SCMP_CMP_NE, 0, 0});
  }
  for (const char* name : changes_of_files) {
    add(filter, SCMP_ACT_ERRNO(EPERM), name);
  }
  // It ends with the keeper.
  add_masked(filter, "prctl", 0, low_half, PR_SET_PDEATHSIG);
}

FileDescriptor load_filter(const Filter& filter) {
  const int result = seccomp_load(filter.get());
  errno = -result;
  check_step(result == 0, "load the filter of system calls");
  return FileDescriptor(seccomp_notify_fd(filter.get()));
}

FilterProgram compile_filter(const Filter& filter) {
  const FileDescriptor file(memfd_create("filter", MFD_CLOEXEC));
  check_step(file.is_open(), "make a file in memory");
  check_filter(seccomp_export_bpf(filter.get(), file.get()));
  const off_t size = lseek(file.get(), 0, SEEK_END);
  FilterProgram program(static_cast<std::size_t>(size) / sizeof(sock_filter));
  check_step(pread(file.get(), program.data(), static_cast<std::size_t>(size),
                   0) == size,
             "read the filter of system calls");
  return program;
}

void load_filter(const FilterProgram& program) {
  const sock_fprog whole{static_cast<unsigned short>(program.size()),
                         const_cast<sock_filter*>(program.data())};
  check_step(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) == 0,
             "load the filter of system calls");
}

bool answer_exec(int listener, Admission admission) {
  seccomp_notif* question = nullptr;
  seccomp_notif_resp* answer = nullptr;
  check_filter(seccomp_notify_alloc(&question, &answer));
  const bool is_asked = seccomp_notify_receive(listener, question) == 0;
  if (is_asked) {
    answer->id = question->id;
    answer->error = admission == Admission::granted ? 0 : -EPERM;
    answer->flags =
        admission == Admission::granted ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    seccomp_notify_respond(listener, answer);
  }
  seccomp_notify_free(question, answer);
  return is_asked;
}

}  // namespace grader
