// SPDX-License-Identifier: MIT
// The system calls that a submission may make: all, less those of a table. An
// allow-list would break with each release of numpy or torch.
//
// Three answers: an errno for what libraries try and can do without, death by
// SIGSYS for what only an attacker calls, and a question to the warden for the
// one call that must pass once, execve, where that starts the submission.
#pragma once

#include <linux/filter.h>
#include <memory>
#include <seccomp.h>
#include <vector>

#include "grader/system/file_descriptor.hpp"

namespace grader {

struct ReleaseFilter {
  void operator()(scmp_filter_ctx filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, ReleaseFilter>;

// Which programs it may start, in the namespaces that it is in.
enum class Programs { none, one, any };

// Where it may start one the warden is asked, who grants the first.
Filter make_filter(Programs programs);

// Where the namespace of processes is that of everybody: the calling process
// may send signals to itself, change the priority or the limits of nobody else,
// and not the rights and times of files. Before the filter is loaded.
void forbid_touching_others(const Filter& filter);

// For the calling process and all that it becomes. Open where the warden is
// asked: somebody must then answer there. Needs no_new_privs.
FileDescriptor load_filter(const Filter& filter);

// A filter without questions, made once and loaded by many processes, each of
// which would need a millisecond to make it.
using FilterProgram = std::vector<sock_filter>;
FilterProgram compile_filter(const Filter& filter);
void load_filter(const FilterProgram& program);

// What the warden answers.
enum class Admission { granted, refused };

// Waits for one question, if the descriptor says that there is one, and answers
// it. False: nobody asks any more.
bool answer_exec(int listener, Admission admission);

}  // namespace grader
