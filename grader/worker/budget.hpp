// SPDX-License-Identifier: MIT
// What a submission has used of its limits, over all processes that it ran in.
// The same for every kind of worker.
#pragma once

#include "grader/worker/exchange.hpp"
#include "grader/worker/outcome.hpp"
#include "grader/worker/worker.hpp"

namespace grader {

// Whether the process can be used for another call.
bool leaves_process(const Outcome& outcome);

class Budget {
 public:
  explicit Budget(const Limits& limits);

  // Nothing is left: further calls are not run.
  bool is_spent() const;

  // One request of a call and its answer, within what is left. The seconds of a
  // TimedOut are those of the limit that people know.
  Exchange exchange_call(Child& child, std::string_view request,
                         const MessageLimits& reply);

  // Mishaps beyond a number are not worth the time of those behind.
  void count(const Outcome& outcome);

  double cpu_seconds() const { return cpu_; }  // of calls, not of loading
  Streams& streams() { return streams_; }
  CapturedOutput output() const;

 private:
  double whole_limit(TimeLimit limit) const;

  Limits limits_;
  Streams streams_;
  double cpu_ = 0.0;
  double wall_ = 0.0;
  int stalls_ = 0;
  int crashes_ = 0;
  bool is_output_spent_ = false;
};

}  // namespace grader
