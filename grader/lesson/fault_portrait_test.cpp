// SPDX-License-Identifier: MIT
#include "grader/lesson/fault_portrait.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "grader/diagnosis/catalogue.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("every fault that is one formula has a portrait",
          "[fault-portrait]") {
  std::set<std::string> without;
  for (const Fault& fault : catalogue()) {
    if (!portray(fault.id)) {
      without.insert(fault.id);
    }
  }
  // A number of its own makes each of the first three another formula.
  CHECK(without == std::set<std::string>{
                       "scale-constant", "scale-other", "softmax-large-epsilon",
                       "nondeterministic", "stateful", "library-attention",
                       "forbidden-call"});
}

TEST_CASE("a portrait shows a difference, in the same shape",
          "[fault-portrait]") {
  for (const Fault& fault : catalogue()) {
    const auto portrait = portray(fault.id);
    if (!portrait) {
      continue;
    }
    CAPTURE(fault.id);
    REQUIRE(portrait->right.shape == portrait->faulty.shape);
    CHECK(portrait->right.data.size() <= 16);
    const bool differs = !std::ranges::equal(
        portrait->right.data, portrait->faulty.data,
        [](double a, double b) { return std::abs(a - b) < 0.01; });
    CHECK(differs);
    CHECK_FALSE(portrait->shape_tests.empty());
    CHECK(portrait->python.size() >= 3);
  }
}

TEST_CASE("a portrait is one of no commoner fault where it can be",
          "[fault-portrait]") {
  const auto half = portray("scale-half-dk");
  const auto missing = portray("scale-missing");
  REQUIRE((half && missing));
  CHECK(missing->input.rank == 2);
  CHECK(half->input.dimensions.d_k != 2);  // where d_k / 2 is 1
  CHECK(half->faulty.data != missing->faulty.data);
}

TEST_CASE("a portrait says which sizes give the fault away",
          "[fault-portrait]") {
  const auto portrait = portray("keys-transposed-all-axes");
  REQUIRE(portrait);
  CHECK(portrait->what == "weights");
  CHECK(portrait->where == "[1]");
  CHECK(portrait->shape_tests.find("every row sums to 1: tests of both pass") !=
        std::string::npos);
  CHECK(portrait->shape_tests.find("Other sizes give it away") !=
        std::string::npos);
  CHECK(portray("softmax-missing")->shape_tests.find("does not") !=
        std::string::npos);
}

TEST_CASE("there is no portrait of what is no fault", "[fault-portrait]") {
  CHECK_FALSE(portray("no-such-fault"));
}

}  // namespace
}  // namespace grader
