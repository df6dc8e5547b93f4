// SPDX-License-Identifier: MIT
#include "grader/worker/outcome.hpp"

namespace grader {
namespace {

struct NameOf {
  std::string operator()(const Returned&) const { return "returned"; }
  std::string operator()(const Raised&) const { return "raised"; }
  std::string operator()(const Crashed&) const { return "crashed"; }
  std::string operator()(const TimedOut&) const { return "timed-out"; }
  std::string operator()(const OutOfMemory&) const { return "out-of-memory"; }
  std::string operator()(const LimitExceeded&) const {
    return "limit-exceeded";
  }
  std::string operator()(const BadReply&) const { return "bad-reply"; }
  std::string operator()(const NotRun&) const { return "not-run"; }
};

}  // namespace

std::string outcome_name(const Outcome& outcome) {
  return std::visit(NameOf{}, outcome);
}

}  // namespace grader
