// SPDX-License-Identifier: MIT
#include "grader/worker/outcome.hpp"

#include "tests/catch.hpp"

using namespace grader;

TEST_CASE("every outcome has the name that records use", "[outcome]") {
  CHECK(outcome_name(Returned{}) == "returned");
  CHECK(outcome_name(Raised{}) == "raised");
  CHECK(outcome_name(Crashed{}) == "crashed");
  CHECK(outcome_name(TimedOut{}) == "timed-out");
  CHECK(outcome_name(OutOfMemory{}) == "out-of-memory");
  CHECK(outcome_name(LimitExceeded{}) == "limit-exceeded");
  CHECK(outcome_name(BadReply{}) == "bad-reply");
  CHECK(outcome_name(NotRun{}) == "not-run");
}
