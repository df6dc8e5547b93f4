// SPDX-License-Identifier: MIT
#include "grader/loader/call_graph.hpp"

#include <algorithm>
#include <string>

namespace grader {

bool calls(const Callable& caller, const Callable& helper) {
  const std::string name = helper.name.substr(0, helper.name.find('.'));
  return caller.name != helper.name &&
         std::ranges::find(caller.calls, name) != caller.calls.end();
}

bool is_derived(const Callable& callable, const Callable& base) {
  return callable.name != base.name &&
         std::ranges::find(callable.bases, base.name) != callable.bases.end();
}

std::vector<const Callable*> all_called_by(
    const Callable& caller, const std::vector<Callable>& callables) {
  std::vector<const Callable*> called = {&caller};
  for (std::size_t i = 0; i < called.size(); ++i) {
    for (const Callable& helper : callables) {
      if (calls(*called[i], helper) &&
          std::ranges::find(called, &helper) == called.end()) {
        called.push_back(&helper);
      }
    }
  }
  return called;
}

}  // namespace grader
