// SPDX-License-Identifier: MIT
#include "grader/worker/budget.hpp"

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

}  // namespace

bool leaves_process(const Outcome& outcome) {
  return std::holds_alternative<Returned>(outcome) ||
         std::holds_alternative<Raised>(outcome);
}

Budget::Budget(const Limits& limits) : limits_(limits) {
  streams_.limit = limits.output;
}

bool Budget::is_spent() const {
  return is_output_spent_ || stalls_ >= max_stalls || crashes_ >= max_crashes ||
         cpu_ >= limits_.cpu.count() || wall_ >= limits_.wall.count();
}

Exchange Budget::exchange_call(Child& child, std::string_view request,
                               const MessageLimits& reply) {
  Exchange done =
      exchange(child, request, reply,
               {limits_.cpu.count() - cpu_, limits_.wall.count() - wall_,
                limits_.idle.count(), limits_.disk},
               streams_);
  cpu_ += done.cpu;
  wall_ += done.wall;
  if (auto* outcome = std::get_if<Outcome>(&done.result)) {
    if (auto* timed_out = std::get_if<TimedOut>(outcome)) {
      timed_out->seconds = whole_limit(timed_out->limit);
    }
  }
  return done;
}

void Budget::count(const Outcome& outcome) {
  std::visit(AddTo{stalls_, crashes_, is_output_spent_}, outcome);
}

CapturedOutput Budget::output() const {
  return {streams_.standard_output.text(), streams_.standard_error.text()};
}

double Budget::whole_limit(TimeLimit limit) const {
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

}  // namespace grader
