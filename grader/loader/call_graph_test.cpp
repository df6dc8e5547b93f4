// SPDX-License-Identifier: MIT
#include "grader/loader/call_graph.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

Callable callable(const std::string& name,
                  const std::vector<std::string>& called) {
  Callable made;
  made.name = name;
  made.calls = called;
  return made;
}

std::vector<std::string> names_called(const std::vector<Callable>& callables) {
  std::vector<std::string> names;
  for (const Callable* one : all_called_by(callables.front(), callables)) {
    names.push_back(one->name);
  }
  return names;
}

TEST_CASE("a callable calls what its text names", "[call_graph]") {
  CHECK(calls(callable("f", {"g"}), callable("g", {})));
  CHECK(calls(callable("f", {"G"}), callable("G.forward", {})));
  CHECK_FALSE(calls(callable("f", {"f"}), callable("f", {})));
  CHECK_FALSE(calls(callable("f", {"gg"}), callable("g", {})));
}

TEST_CASE("what is called by what is called counts, once", "[call_graph]") {
  CHECK(names_called({callable("f", {"g"}), callable("g", {"h", "f"}),
                      callable("h", {"g"}), callable("other", {"f"})}) ==
        std::vector<std::string>{"f", "g", "h"});
  CHECK(names_called({callable("f", {"missing"})}) ==
        std::vector<std::string>{"f"});
}

}  // namespace
}  // namespace grader
