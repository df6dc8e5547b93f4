// SPDX-License-Identifier: MIT
// A take-home: what is handed to a candidate, and what the interviewer keeps.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/fixture/task.hpp"

namespace grader {

struct KitFile {
  std::filesystem::path name;  // below the folder of the kit
  std::string text;
};

struct KitPlan {
  Task task;
  std::vector<std::string> languages;  // python, notebook, c, cpp
  std::string header;                  // the text of attngrade.h
};

// Instructions, a stub for each language, a workflow for CI and the
// interviewer's notes; not the task and its cases, which are copied. Throws
// Error (usage) where the task cannot be done in a language.
std::vector<KitFile> make_kit(const KitPlan& plan);

}  // namespace grader
