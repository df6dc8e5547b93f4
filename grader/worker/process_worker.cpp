// SPDX-License-Identifier: MIT
#include "grader/loader/cell.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"
#include "grader/worker/budget.hpp"
#include "grader/worker/command_worker.hpp"
#include "grader/worker/exchange.hpp"
#include "grader/worker/layout.hpp"
#include "grader/worker/protocol.hpp"
#include "grader/worker/second_chance.hpp"
#include "grader/worker/worker.hpp"

namespace grader {
namespace {

// The outcome of a call before which the submission could not be loaded again.
struct AsCallOutcome {
  Outcome operator()(const Description&) const {
    return BadReply{"loaded without a process"};  // cannot be
  }
  Outcome operator()(const LoadFailure& failure) const {
    return Raised{failure.kind,
                  "the file loaded once, but not a second time: " +
                      one_line(failure.detail),
                  failure.detail};
  }
  Outcome operator()(const CannotGrade& obstacle) const {
    throw Error(Blame::environment, obstacle.detail);
  }
  Outcome operator()(const Outcome& outcome) const { return outcome; }
};

Limits scaled(Limits limits, double time_factor) {
  limits.cpu *= time_factor;
  limits.wall *= time_factor;
  return limits;
}

class ProcessWorker final : public Worker {
 public:
  ProcessWorker(Program program, const Limits& limits)
      : program_(std::move(program)),
        limits_(scaled(limits, program_.time_factor)),
        budget_(limits_) {}

  LoadOutcome load() override {
    LoadOutcome outcome = start_and_load();
    if (!std::holds_alternative<Description>(outcome.result)) {
      child_.reset();
    }
    if (const auto* ended = std::get_if<Outcome>(&outcome.result)) {
      budget_.count(*ended);
    }
    return outcome;
  }

  Outcome call(const Match& match, const Call& call) override {
    if (budget_.is_spent()) {
      return NotRun{};
    }
    if (!child_) {
      const LoadOutcome again = load();
      if (!child_) {
        return std::visit(AsCallOutcome{}, again.result);
      }
    }
    Outcome outcome = run_call(match, call);
    budget_.count(outcome);
    if (!leaves_process(outcome)) {
      child_.reset();
    }
    return outcome;
  }

  CapturedOutput output() const override { return budget_.output(); }
  double cpu_seconds() const override { return budget_.cpu_seconds(); }

 private:
  LoadOutcome start_and_load() {
    try {
      if (auto obstacle = start_host()) {
        return {CannotGrade{"environment", *obstacle}};
      }
    } catch (const Error& error) {
      return {CannotGrade{"environment", error.what()}};
    }
    return load_submission();
  }

  // Why there is no host, or nothing.
  std::optional<std::string> start_host() {
    if (program_.waiting != nullptr && program_.waiting->child != nullptr) {
      child_ = std::move(program_.waiting->child);
      if (!wait_until_ready()) {
        limit_memory(*child_, program_, program_.waiting->baseline,
                     limits_.memory);
        return std::nullopt;
      }
    }
    child_ = spawn_cell(program_, limits_);
    auto obstacle = wait_until_ready();
    if (!obstacle) {
      limit_memory(*child_, program_, address_space(*child_), limits_.memory);
    }
    return obstacle;
  }

  // Why the host cannot be used, or nothing.
  std::optional<std::string> wait_until_ready() {
    const double start = limits_.start.count();
    const std::string host = program_.argv.at(0);
    const Exchange ready = exchange(*child_, {}, ready_limits(),
                                    {start, start, start}, budget_.streams());
    const auto* message = std::get_if<Message>(&ready.result);
    if (message == nullptr || message->text("status") != "ready") {
      return "cannot use " + host + ": it did not start a host (" +
             (message == nullptr ? outcome_name(std::get<Outcome>(ready.result))
                                 : "bad-reply") +
             "): " + one_line(budget_.output().standard_error);
    }
    if (program_.language == Language::python &&
        message->text("numpy").empty()) {
      return "cannot use " + host + ": its numpy cannot be imported: " +
             one_line(message->text("numpy_failure")) +
             "; repair it, or name another interpreter with --python";
    }
    return std::nullopt;
  }

  LoadOutcome load_submission() {
    const std::string request =
        write_message(load_request(program_, ++last_id_));
    const Exchange loading =
        exchange(*child_, request, load_reply_limits(),
                 {limits_.cpu.count(), limits_.start.count(),
                  limits_.idle.count(), limits_.disk},
                 budget_.streams());
    const auto* reply = std::get_if<Message>(&loading.result);
    if (reply == nullptr) {
      Outcome outcome = std::get<Outcome>(loading.result);
      auto* timed_out = std::get_if<TimedOut>(&outcome);
      if (timed_out != nullptr && timed_out->limit == TimeLimit::wall) {
        timed_out->limit = TimeLimit::start;
      }
      return {outcome};
    }
    if (!is_answer(*reply)) {
      return {Outcome(BadReply{"an answer to another request"})};
    }
    auto outcome = read_load_reply(*reply, program_.adapter != nullptr);
    if (auto* bad = std::get_if<BadReply>(&outcome)) {
      return {Outcome(std::move(*bad))};
    }
    return std::get<LoadOutcome>(outcome);
  }

  Outcome run_call(const Match& match, const Call& call) {
    if (!match.tokens_first) {
      return exchange_call(match, call);
    }
    Outcome outcome = exchange_call(match, with_tokens_first(call));
    if (auto* returned = std::get_if<Returned>(&outcome)) {
      bring_heads_first(call, *returned);
    }
    return outcome;
  }

  Outcome exchange_call(const Match& match, const Call& call) {
    const std::string request =
        write_message(call_request(match, call, ++last_id_));
    const Exchange done =
        budget_.exchange_call(*child_, request, call_reply_limits(call));
    if (const auto* reply = std::get_if<Message>(&done.result)) {
      return is_answer(*reply)
                 ? read_call_reply(*reply)
                 : Outcome(BadReply{"an answer to another request"});
    }
    return std::get<Outcome>(done.result);
  }

  bool is_answer(const Message& reply) const {
    return reply.text("id") == std::to_string(last_id_);
  }

  Program program_;
  Limits limits_;
  Budget budget_;
  std::unique_ptr<Child> child_;
  std::uint64_t last_id_ = 0;
};

}  // namespace

Call make_call(const Case& test_case) {
  return {test_case.name,       test_case.kind, test_case.mask_mode,
          test_case.dimensions, test_case.rank, test_case.arguments,
          test_case.mask};
}

std::unique_ptr<Worker> start_worker(const Program& program,
                                     const Limits& limits) {
  return with_second_chance(
      program.language == Language::command
          ? start_command_worker(program, limits)
          : std::make_unique<ProcessWorker>(program, limits));
}

}  // namespace grader
