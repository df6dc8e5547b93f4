// SPDX-License-Identifier: MIT
#include "grader/isolation/find_isolation.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Isolation no_tools() {
  return {};
}

TEST_CASE("levels are read from their names", "[isolation]") {
  CHECK(parse_isolation_level("none") == IsolationLevel::level0);
  CHECK(parse_isolation_level("L3") == IsolationLevel::level3);
  CHECK_FALSE(parse_isolation_level("auto"));
  CHECK_FALSE(parse_isolation_level("L0"));
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

// A machine on which these attacks succeed without namespaces, and which has
// none.
Prober without_namespaces(std::vector<std::string> open) {
  return [open = std::move(open)](const Isolation& isolation) {
    if (isolation.level != IsolationLevel::level1) {
      return Probing{{}, "cannot make the namespaces of a cell"};
    }
    Probing probing;
    for (const char* attack : {"reading-files", "writing-files", "signals",
                               "network", "disk", "programs"}) {
      probing.results.push_back(
          {attack, std::ranges::count(open, attack) == 0});
    }
    return probing;
  };
}

TEST_CASE("without namespaces a disk is open, and the result says so",
          "[isolation]") {
  const IsolationFinding finding =
      find_isolation("auto", "", no_tools(), without_namespaces({"disk"}));
  CHECK(finding.isolation.level == IsolationLevel::level1);
  CHECK(finding.detail ==
        "no namespaces here: rules for files, signals and system calls; open: "
        "disk");
  CHECK(finding.obstacle == "cannot make the namespaces of a cell");
}

TEST_CASE("without rules for files there is no L1", "[isolation]") {
  for (const char* attack : {"reading-files", "writing-files", "network"}) {
    INFO(attack);
    const Prober prober = without_namespaces({"disk", attack});
    const IsolationFinding finding =
        find_isolation("auto", "", no_tools(), prober);
    CHECK(finding.isolation.level == IsolationLevel::level0);
    CHECK(finding.obstacle.find(attack) != std::string::npos);
    CHECK_THROWS_AS(find_isolation("L1", "", no_tools(), prober), Error);
  }
}

TEST_CASE("the best level that is granted is taken", "[isolation]") {
  const Prober grants_all = [](const Isolation&) {
    return Probing{{{"network", true}}, ""};
  };
  const auto level = [&](const char* wanted) {
    return find_isolation(wanted, "", no_tools(), grants_all).isolation.level;
  };
  CHECK(level("auto") == IsolationLevel::level3);
  CHECK(level("L2") == IsolationLevel::level2);
  CHECK(level("none") == IsolationLevel::level0);
  // A trial without any result has shown nothing.
  const Prober says_nothing = [](const Isolation&) { return Probing{}; };
  CHECK(find_isolation("auto", "", no_tools(), says_nothing).isolation.level ==
        IsolationLevel::level0);
}

}  // namespace
}  // namespace grader
