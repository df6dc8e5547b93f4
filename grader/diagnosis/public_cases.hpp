// SPDX-License-Identifier: MIT
// Tests: the shipped cases of a task.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/separation.hpp"
#include "grader/fixture/adapt.hpp"
#include "grader/fixture/case.hpp"
#include "grader/fixture/task.hpp"

namespace grader {

inline std::vector<Case> public_cases(const std::string& task) {
  const std::filesystem::path folder =
      std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures";
  std::vector<Case> cases;
  for (const auto& file :
       read_task(folder / "tasks" / (task + ".json")).case_files) {
    cases.push_back(read_case(file));
  }
  return cases;
}

// Those that a class of the form can take, as far as they tell apart what they
// are there for.
inline std::vector<Case> class_cases(const std::string& task,
                                     const ClassForm& form) {
  std::vector<Case> cases;
  for (Case& recipe : adapted_recipes(public_cases(task), form)) {
    forget_equal_scales(recipe);
    if (!is_drawn(recipe)) {
      draw_adapted(recipe);
    }
    if (separations_hold(recipe)) {
      cases.push_back(std::move(recipe));
    }
  }
  return cases;
}

}  // namespace grader
