// SPDX-License-Identifier: MIT
// What happened to one call of a submission: a closed set. None of it is an
// exception, none of it is trusted.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/fixture/dtype.hpp"
#include "reference/tensor.hpp"

namespace grader {

// One array that came back, widened to float64.
struct ResultArray {
  std::string
      role;  // "output" or "weights" where the candidate named it, or ""
  DType dtype = DType::float64;
  reference::Tensor values;
};

// Of a library, by the submission, as its own process has seen it.
struct SeenCall {
  std::string name;
  std::string place;  // "ana.py, line 12", or empty; hostile text

  bool operator==(const SeenCall&) const = default;
};

struct Returned {
  std::vector<ResultArray> results;  // in the order they were returned
  bool input_mutated = false;        // the caller's arrays were changed
  // Why nothing usable came back: "returned None", "a list with rows of
  // different lengths". `results` is empty then.
  std::string problem{};
  // Native code only: the output is the same with weights == NULL.
  std::optional<bool> same_without_weights{};
  std::vector<SeenCall> library_calls{};  // of those that are watched
};

struct Raised {
  std::string type;       // "ValueError"; "status" for a C return value
  std::string message;    // one line
  std::string traceback;  // the candidate's frames only
  // What this machine lacks, where the library says so and not the candidate:
  // "needs a CUDA device; ..."
  std::string missing_device{};
  // Of a call through an adapter: why the error is the adapter's own, for
  // people, or empty.
  std::string adapter{};
};

struct Crashed {
  int signal = 0;       // 0: it ended by itself
  int exit_status = 0;  // meaningful when signal is 0
  // Killed while the machine was killing for want of memory: perhaps by it.
  bool may_be_machines = false;
};

enum class TimeLimit { cpu, wall, idle, start };

struct TimedOut {
  TimeLimit limit = TimeLimit::cpu;
  double seconds = 0.0;  // the limit that was hit
};

struct OutOfMemory {
  std::string detail;
};

// The grader itself saw a limit on processes, files, disk or output being hit.
struct LimitExceeded {
  std::string what;         // "output"
  std::string option;       // "--output-limit"
  std::uint64_t bytes = 0;  // the limit
};

// The reply breaks the protocol or the case's sizes: hostile or broken.
struct BadReply {
  std::string why;
};

// The budget of the submission was spent before this call.
struct NotRun {};

using Outcome = std::variant<Returned, Raised, Crashed, TimedOut, OutOfMemory,
                             LimitExceeded, BadReply, NotRun>;

// "returned", "raised", "crashed", "timed-out", "out-of-memory",
// "limit-exceeded", "bad-reply", "not-run"
std::string outcome_name(const Outcome& outcome);

}  // namespace grader
