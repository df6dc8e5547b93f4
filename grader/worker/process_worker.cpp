// SPDX-License-Identifier: MIT
#include <algorithm>

#include "grader/system/error.hpp"
#include "grader/system/text.hpp"
#include "grader/worker/cell.hpp"
#include "grader/worker/exchange.hpp"
#include "grader/worker/protocol.hpp"
#include "grader/worker/worker.hpp"

namespace grader {
namespace {

// What is left of a submission's processes after this many is not worth the
// time of those behind it.
constexpr int max_stalls = 2;  // time-outs, memory used up
constexpr int max_crashes = 12;

struct AddTo {
  int& stalls;
  int& crashes;
  bool& is_spent;

  void operator()(const Returned&) const {}
  void operator()(const Raised&) const {}
  void operator()(const Crashed&) const { ++crashes; }
  void operator()(const TimedOut&) const { ++stalls; }
  void operator()(const OutOfMemory&) const { ++stalls; }
  void operator()(const LimitExceeded&) const { is_spent = true; }
  void operator()(const BadReply&) const { ++crashes; }
  void operator()(const NotRun&) const {}
};

// Whether the process can be used for another call.
bool leaves_process(const Outcome& outcome) {
  return std::holds_alternative<Returned>(outcome) ||
         std::holds_alternative<Raised>(outcome);
}

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

class ProcessWorker final : public Worker {
 public:
  ProcessWorker(Program program, const Limits& limits)
      : program_(std::move(program)), limits_(limits) {
    streams_.limit = limits.output;
    limits_.cpu *= program_.time_factor;
    limits_.wall *= program_.time_factor;
  }

  LoadOutcome load() override {
    LoadOutcome outcome = start_and_load();
    if (!std::holds_alternative<Description>(outcome.result)) {
      child_.reset();
    }
    if (const auto* ended = std::get_if<Outcome>(&outcome.result)) {
      count(*ended);
    }
    return outcome;
  }

  Outcome call(const Match& match, const Call& call) override {
    if (is_spent()) {
      return NotRun{};
    }
    if (!child_) {
      const LoadOutcome again = load();
      if (!child_) {
        return std::visit(AsCallOutcome{}, again.result);
      }
    }
    Outcome outcome = run_call(match, call);
    count(outcome);
    if (!leaves_process(outcome)) {
      child_.reset();
    }
    return outcome;
  }

  CapturedOutput output() const override {
    return {streams_.standard_output.text(), streams_.standard_error.text()};
  }

  double cpu_seconds() const override { return cpu_; }

 private:
  bool is_spent() const {
    return is_output_spent_ || stalls_ >= max_stalls ||
           crashes_ >= max_crashes || cpu_ >= limits_.cpu.count() ||
           wall_ >= limits_.wall.count();
  }

  void count(const Outcome& outcome) {
    std::visit(AddTo{stalls_, crashes_, is_output_spent_}, outcome);
  }

  LoadOutcome start_and_load() {
    try {
      child_ = spawn_cell(program_, limits_);
      if (auto obstacle = wait_until_ready()) {
        return {CannotGrade{"environment", *obstacle}};
      }
      limit_memory(*child_, limits_.memory);
    } catch (const Error& error) {
      return {CannotGrade{"environment", error.what()}};
    }
    return load_submission();
  }

  // Why the host cannot be used, or nothing.
  std::optional<std::string> wait_until_ready() {
    const double start = limits_.start.count();
    const std::string host = program_.argv.at(0);
    const Exchange ready =
        exchange(*child_, {}, ready_limits(), {start, start, start}, streams_);
    const auto* message = std::get_if<Message>(&ready.result);
    if (message == nullptr || message->text("status") != "ready") {
      return "cannot use " + host + ": it did not start a host (" +
             (message == nullptr ? outcome_name(std::get<Outcome>(ready.result))
                                 : "bad-reply") +
             "): " + one_line(streams_.standard_error.text());
    }
    if (program_.language == Language::python &&
        message->text("numpy").empty()) {
      return "cannot use " + host +
             ": it has no numpy; install numpy or name another interpreter "
             "with --python";
    }
    return std::nullopt;
  }

  LoadOutcome load_submission() {
    const std::string request =
        write_message(load_request(program_, ++last_id_));
    const Exchange loading = exchange(
        *child_, request, load_reply_limits(),
        {limits_.cpu.count(), limits_.start.count(), limits_.idle.count()},
        streams_);
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
    auto outcome = read_load_reply(*reply);
    if (auto* bad = std::get_if<BadReply>(&outcome)) {
      return {Outcome(std::move(*bad))};
    }
    return std::get<LoadOutcome>(outcome);
  }

  Outcome run_call(const Match& match, const Call& call) {
    const std::string request =
        write_message(call_request(match, call, ++last_id_));
    const Exchange done =
        exchange(*child_, request, call_reply_limits(call),
                 {limits_.cpu.count() - cpu_, limits_.wall.count() - wall_,
                  limits_.idle.count()},
                 streams_);
    cpu_ += done.cpu;
    wall_ += done.wall;
    if (const auto* reply = std::get_if<Message>(&done.result)) {
      return is_answer(*reply)
                 ? read_call_reply(*reply)
                 : Outcome(BadReply{"an answer to another request"});
    }
    Outcome outcome = std::get<Outcome>(done.result);
    if (auto* timed_out = std::get_if<TimedOut>(&outcome)) {
      timed_out->seconds = whole_limit(timed_out->limit);
    }
    return outcome;
  }

  // The allowance of a call is what is left of the limit; people know the
  // limit.
  double whole_limit(TimeLimit limit) const {
    switch (limit) {
      case TimeLimit::cpu:
        return limits_.cpu.count();
      case TimeLimit::wall:
        return limits_.wall.count();
      case TimeLimit::idle:
        return limits_.idle.count();
      case TimeLimit::start:
        return limits_.start.count();
    }
    return 0.0;
  }

  bool is_answer(const Message& reply) const {
    return reply.text("id") == std::to_string(last_id_);
  }

  Program program_;
  Limits limits_;
  Streams streams_;
  std::unique_ptr<Child> child_;
  std::uint64_t last_id_ = 0;
  double cpu_ = 0.0;  // of calls; starting and loading have limits of their own
  double wall_ = 0.0;
  int stalls_ = 0;
  int crashes_ = 0;
  bool is_output_spent_ = false;
};

}  // namespace

Call make_call(const Case& test_case) {
  return {test_case.name,       test_case.kind, test_case.mask_mode,
          test_case.dimensions, test_case.rank, test_case.arguments,
          test_case.mask};
}

std::unique_ptr<Worker> start_worker(const Program& program,
                                     const Limits& limits) {
  return std::make_unique<ProcessWorker>(program, limits);
}

}  // namespace grader
