// SPDX-License-Identifier: MIT
#include "grader/worker/command_worker.hpp"

#include <utility>

#include "grader/loader/cell.hpp"
#include "grader/system/error.hpp"
#include "grader/worker/budget.hpp"
#include "grader/worker/command_protocol.hpp"

namespace grader {

namespace {

// It had nothing more to say than the answers before.
bool ended_quietly(const Exchange& done) {
  const auto* outcome = std::get_if<Outcome>(&done.result);
  const auto* crashed =
      outcome == nullptr ? nullptr : std::get_if<Crashed>(outcome);
  return crashed != nullptr && crashed->signal == 0 &&
         crashed->exit_status == 0 && done.beginning.empty();
}

class CommandWorker final : public Worker {
 public:
  CommandWorker(Program program, const Limits& limits)
      : program_(std::move(program)), limits_(limits), budget_(limits) {}

  LoadOutcome load() override {
    try {
      start();
    } catch (const Error& error) {
      return {CannotGrade{"environment", error.what()}};
    }
    return {Description{}};
  }

  Outcome call(const Match& match, const Call& call) override {
    if (budget_.is_spent()) {
      return NotRun{};
    }
    if (!child_) {
      start();
    }
    const Exchange done = ask(match, call);
    const auto* mishap = std::get_if<Outcome>(&done.result);
    Outcome outcome = read_command_exchange(done);
    // A hang after a word on stdout took as long as any other.
    budget_.count(mishap == nullptr ? outcome : *mishap);
    if (leaves_process(outcome)) {
      ++answers_;
    } else {
      child_.reset();
    }
    return outcome;
  }

  CapturedOutput output() const override { return budget_.output(); }
  double cpu_seconds() const override { return budget_.cpu_seconds(); }

 private:
  void start() {
    child_ = spawn_cell(program_, limits_);
    answers_ = 0;
  }

  Exchange ask(const Match& match, const Call& call) {
    const std::string request =
        write_message(command_request(match, call, ++calls_));
    Exchange done = exchange_with(request, call);
    if (answers_ > 0 && ended_quietly(done)) {
      start();
      done = exchange_with(request, call);
    }
    return done;
  }

  Exchange exchange_with(const std::string& request, const Call& call) {
    return budget_.exchange_call(*child_, request, call_reply_limits(call));
  }

  Program program_;
  Limits limits_;
  Budget budget_;
  std::unique_ptr<Child> child_;
  std::uint64_t calls_ = 0;
  int answers_ = 0;  // of this process
};

}  // namespace

std::unique_ptr<Worker> start_command_worker(const Program& program,
                                             const Limits& limits) {
  return std::make_unique<CommandWorker>(program, limits);
}

}  // namespace grader
