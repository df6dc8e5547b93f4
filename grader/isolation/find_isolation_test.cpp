// SPDX-License-Identifier: MIT
#include "grader/isolation/find_isolation.hpp"

#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Isolation no_tools() {
  return {};
}

TEST_CASE("levels are read from their names", "[isolation]") {
  CHECK(parse_isolation_level("none") == IsolationLevel::level0);
  CHECK(parse_isolation_level("L0") == IsolationLevel::level0);
  CHECK(parse_isolation_level("L3") == IsolationLevel::level3);
  CHECK_FALSE(parse_isolation_level("auto"));
  CHECK_FALSE(parse_isolation_level("L4"));
  CHECK_FALSE(parse_isolation_level(""));
}

TEST_CASE("auto takes what there is, and says it", "[isolation]") {
  const IsolationFinding finding = find_isolation("auto", "", no_tools());
  CHECK(finding.isolation.level == IsolationLevel::level0);
  CHECK(finding.detail == "none: resource limits only");
}

TEST_CASE("none is granted anywhere", "[isolation]") {
  CHECK(find_isolation("none", "", no_tools()).isolation.level ==
        IsolationLevel::level0);
  CHECK(find_isolation("none", "L0", no_tools()).isolation.level ==
        IsolationLevel::level0);
}

TEST_CASE("an isolation that is not there fails closed", "[isolation]") {
  CHECK_THROWS_WITH(find_isolation("L2", "", no_tools()),
                    "cannot isolate at L2: the program attngrade-cell is not "
                    "beside this one");
  CHECK_THROWS_AS(find_isolation("auto", "L1", no_tools()), Error);
  CHECK_THROWS_AS(find_isolation("none", "L2", no_tools()), Error);
}

}  // namespace
}  // namespace grader
