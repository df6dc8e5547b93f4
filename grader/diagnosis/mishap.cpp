// SPDX-License-Identifier: MIT
#include "grader/diagnosis/mishap.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "grader/system/text.hpp"

namespace grader {
namespace {

std::string seconds_text(double seconds) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%g s", seconds);
  return buffer.data();
}

std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  return abbreviation == nullptr ? "signal " + std::to_string(signal)
                                 : std::string("SIG") + abbreviation;
}

// The option whose limit an exception tells of, by its own words: a hint for
// people.
std::string option_of(const std::string& message) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> known = {{
      {"Too many open files", "--file-limit"},
      {"No space left on device", "--disk-limit"},
      {"File too large", "--disk-limit"},
      {"can't start new thread", "--process-limit"},
      {"Resource temporarily unavailable", "--process-limit"},
  }};
  for (const auto& [words, option] : known) {
    if (message.find(words) != std::string::npos) {
      return option;
    }
  }
  return "";
}

struct Judge {
  std::string phase;

  std::optional<Mishap> operator()(const Returned&) const {
    return std::nullopt;
  }

  std::optional<Mishap> operator()(const Raised& raised) const {
    std::string detail = raised.type + ": " + raised.message;
    const std::string summary = "raises " + detail;
    if (!raised.traceback.empty()) {
      detail = raised.traceback;
    }
    auto result = make(Verdict::crashed, "exception", detail, summary);
    result->cause.option = option_of(raised.message);
    return result;
  }

  std::optional<Mishap> operator()(const Crashed& crashed) const {
    if (crashed.signal == 0) {
      const std::string status = std::to_string(crashed.exit_status);
      return make(Verdict::crashed, "exit",
                  "the process ended with exit status " + status +
                      " before it answered",
                  "exits before it answers (status " + status + ")");
    }
    if (crashed.signal == SIGSYS) {
      return make(Verdict::forbidden, "system-call",
                  "the process was ended for a call of the system that a "
                  "submission may not make, such as starting a program",
                  "makes a system call that is forbidden");
    }
    const std::string name = signal_name(crashed.signal);
    return make(Verdict::crashed, "signal", "the process was ended by " + name,
                "ends with " + name);
  }

  std::optional<Mishap> operator()(const TimedOut& timed_out) const {
    const std::string limit = seconds_text(timed_out.seconds);
    switch (timed_out.limit) {
      case TimeLimit::cpu:
        return timed("cpu", limit + " of CPU time",
                     "does not end within " + limit + " of CPU time");
      case TimeLimit::wall:
        return timed("wall", limit + " of wall time",
                     "does not end within " + limit);
      case TimeLimit::idle:
        return timed("idle", limit + " without CPU time",
                     "hangs: no CPU time used for " + limit);
      case TimeLimit::start:
        return timed("start", limit + " to start",
                     "does not finish loading within " + limit);
    }
    return std::nullopt;
  }

  std::optional<Mishap> operator()(const OutOfMemory& memory) const {
    auto result = make(Verdict::out_of_memory, "memory", memory.detail,
                       "needs more memory than the limit allows");
    result->cause.option = "--memory-limit";
    return result;
  }

  std::optional<Mishap> operator()(const LimitExceeded& exceeded) const {
    auto result = make(Verdict::limit_exceeded, exceeded.what,
                       "the limit on " + exceeded.what + " was passed",
                       "passes the limit on " + exceeded.what);
    result->cause.limit =
        size_text(exceeded.bytes) +
        (exceeded.what == "disk" ? " in a file" : " of " + exceeded.what);
    result->cause.option = exceeded.option;
    return result;
  }

  std::optional<Mishap> operator()(const BadReply& reply) const {
    return make(Verdict::bad_output, "reply", reply.why,
                "sends back something that is no answer: " + reply.why);
  }

  std::optional<Mishap> operator()(const NotRun&) const {
    return make(Verdict::timed_out, "budget",
                "the time of the submission was spent before this call",
                "leaves no time for the remaining calls");
  }

 private:
  std::optional<Mishap> make(Verdict verdict, const std::string& kind,
                             const std::string& detail,
                             const std::string& summary) const {
    return Mishap{.verdict = verdict,
                  .cause = {.kind = kind,
                            .detail = detail,
                            .phase = phase,
                            .limit = "",
                            .option = ""},
                  .summary = summary};
  }

  std::optional<Mishap> timed(const std::string& kind, const std::string& limit,
                              const std::string& summary) const {
    auto result = make(Verdict::timed_out, kind, summary, summary);
    result->cause.limit = limit;
    result->cause.option = kind == "start" ? "" : "--time-limit";
    return result;
  }
};

// The worst first; a call that was not run only says that another ended it.
int severity(const Outcome& outcome) {
  struct Rank {
    int operator()(const TimedOut&) const { return 6; }
    int operator()(const OutOfMemory&) const { return 5; }
    int operator()(const LimitExceeded&) const { return 4; }
    int operator()(const Crashed&) const { return 3; }
    int operator()(const BadReply&) const { return 2; }
    int operator()(const NotRun&) const { return 1; }
    int operator()(const Raised&) const { return 0; }
    int operator()(const Returned&) const { return 0; }
  };
  return std::visit(Rank{}, outcome);
}

}  // namespace

std::optional<Mishap> judge_outcome(const Outcome& outcome,
                                    const std::string& phase) {
  return std::visit(Judge{phase}, outcome);
}

std::optional<Mishap> find_mishap(const Observations& observations) {
  const Outcome* worst = nullptr;
  std::string phase;
  int most = 0;
  const auto consider = [&](const Outcome& outcome, const std::string& where,
                            int weight) {
    if (weight > most) {
      worst = &outcome;
      most = weight;
      phase = where;
    }
  };
  for (const CaseObservation& observation : observations.cases) {
    consider(observation.outcome, "call " + observation.test_case->name,
             severity(observation.outcome));
  }
  for (const Outcome& outcome : observations.further_mishaps) {
    consider(outcome, "a further call", std::max(severity(outcome), 1));
  }
  return worst == nullptr ? std::nullopt : judge_outcome(*worst, phase);
}

}  // namespace grader
