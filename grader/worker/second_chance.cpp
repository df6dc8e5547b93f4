// SPDX-License-Identifier: MIT
#include "grader/worker/second_chance.hpp"

#include <utility>

#include "grader/system/error.hpp"

namespace grader {
namespace {

constexpr const char* want_of_memory =
    "the machine ran out of memory and killed processes, twice while this "
    "submission ran; run fewer at the same time, --jobs 1, or give it more";

bool may_be_machines(const Outcome& outcome) {
  const auto* crashed = std::get_if<Crashed>(&outcome);
  return crashed != nullptr && crashed->may_be_machines;
}

bool may_be_machines(const LoadOutcome& loaded) {
  const auto* outcome = std::get_if<Outcome>(&loaded.result);
  return outcome != nullptr && may_be_machines(*outcome);
}

class SecondChance final : public Worker {
 public:
  explicit SecondChance(std::unique_ptr<Worker> worker)
      : worker_(std::move(worker)) {}

  LoadOutcome load() override {
    LoadOutcome loaded = worker_->load();
    if (may_be_machines(loaded)) {
      loaded = worker_->load();
    }
    if (may_be_machines(loaded)) {
      return {CannotGrade{"environment", want_of_memory}};
    }
    return loaded;
  }

  Outcome call(const Match& match, const Call& call) override {
    Outcome outcome = worker_->call(match, call);
    if (may_be_machines(outcome)) {
      outcome = worker_->call(match, call);
    }
    if (may_be_machines(outcome)) {
      throw Error(Blame::environment, want_of_memory);
    }
    return outcome;
  }

  CapturedOutput output() const override { return worker_->output(); }
  double cpu_seconds() const override { return worker_->cpu_seconds(); }

 private:
  std::unique_ptr<Worker> worker_;
};

}  // namespace

std::unique_ptr<Worker> with_second_chance(std::unique_ptr<Worker> worker) {
  return std::make_unique<SecondChance>(std::move(worker));
}

}  // namespace grader
