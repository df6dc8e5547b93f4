// SPDX-License-Identifier: MIT
// Tests: the shipped cases of a task.
#pragma once

#include <string>
#include <vector>

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

}  // namespace grader
