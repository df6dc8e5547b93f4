// SPDX-License-Identifier: MIT
// The one seam between the grader and a running submission. Tests put a
// FakeWorker in its place; isolation belongs behind start_worker.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "grader/fixture/case.hpp"
#include "grader/loader/limits.hpp"
#include "grader/loader/program.hpp"
#include "grader/worker/outcome.hpp"

namespace grader {

// One call: tensors by the task's argument names, in signature order. A view of
// a case, with the value tensor replaced when weights are being recovered.
struct Call {
  std::string label;  // "r4_distinct", for messages
  Kind kind = Kind::attention;
  MaskMode mask_mode = MaskMode::none;
  Dimensions dimensions;
  int rank = 0;
  std::vector<NamedTensor> arguments;
  std::optional<reference::Mask> mask;
  bool wants_weights = true;  // false: only the output will be looked at
  // Of a class that builds its own projections: not built anew but the object
  // of the call before, which had the same sizes and weights.
  bool same_object = false;
};

Call make_call(const Case& test_case);

// Text that the submission printed: hostile bytes, capped, first and last part.
struct CapturedOutput {
  std::string standard_output;
  std::string standard_error;
};

// Loading ended before there was anything to call.
struct LoadOutcome {
  std::variant<Description, LoadFailure, CannotGrade, Outcome> result;
};

class Worker {
 public:
  virtual ~Worker() = default;
  // Starts the program and loads the submission.
  virtual LoadOutcome load() = 0;
  // After load(): calls `match`. Crashes and hangs end the process; the next
  // call runs in a fresh one, in which the submission is loaded again.
  virtual Outcome call(const Match& match, const Call& call) = 0;
  virtual CapturedOutput output() const = 0;
  virtual double cpu_seconds() const = 0;
};

// A worker that runs each program in a process group of its own under rlimits.
// Nothing of it is left when the worker is destroyed.
std::unique_ptr<Worker> start_worker(const Program& program,
                                     const Limits& limits);

}  // namespace grader
