// SPDX-License-Identifier: MIT
// Tests: a worker whose calls are answered by a function.
#pragma once

#include <functional>
#include <utility>

#include "grader/worker/worker.hpp"

namespace grader {

using Answer = std::function<Outcome(const Call&)>;

class FakeWorker final : public Worker {
 public:
  explicit FakeWorker(Answer answer) : answer_(std::move(answer)) {}
  LoadOutcome load() override { return {Description{}}; }
  Outcome call(const Match&, const Call& call) override {
    ++calls;
    return answer_(call);
  }
  CapturedOutput output() const override { return {}; }
  double cpu_seconds() const override { return calls * seconds_of_a_call; }

  int calls = 0;
  double seconds_of_a_call = 0.0;

 private:
  Answer answer_;
};

}  // namespace grader
