// SPDX-License-Identifier: MIT
// One request to a process and its answer, within time and output limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "grader/system/bounded_text.hpp"
#include "grader/system/child.hpp"
#include "grader/worker/outcome.hpp"
#include "grader/worker/safetensors.hpp"

namespace grader {

// What all processes of one submission printed.
struct Streams {
  BoundedText standard_output{64 * 1024, 16 * 1024};
  BoundedText standard_error{64 * 1024, 16 * 1024};
  std::uint64_t limit = 0;  // bytes of both

  bool is_over_limit() const {
    return standard_output.total() + standard_error.total() > limit;
  }
};

// What an answer may take; times in seconds.
struct Allowance {
  double cpu = 0.0;             // processor time
  double wall = 0.0;            // real time
  double idle = 0.0;            // real time in which no processor time is used
  std::uint64_t file_size = 0;  // bytes; to name it, the kernel keeps to it
};

struct Exchange {
  // The answer; else how it ended: Crashed, TimedOut (cpu, wall or idle, with
  // the seconds of the allowance), LimitExceeded or BadReply. The process is
  // then killed and reaped.
  std::variant<Message, Outcome> result;
  // Of what came in, however it ended: at most 80 bytes.
  std::string beginning;
  double cpu = 0.0;  // seconds used
  double wall = 0.0;
};

// `request` may be empty: then only the answer is waited for.
Exchange exchange(Child& child, std::string_view request,
                  const MessageLimits& limits, const Allowance& allowance,
                  Streams& streams);

}  // namespace grader
