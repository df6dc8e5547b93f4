// SPDX-License-Identifier: MIT
#include "grader/loader/module_study.hpp"

#include <algorithm>

namespace grader {

std::vector<std::string> unusual_readings(const ModuleStudy& study,
                                          const ModuleReading& reading) {
  std::vector<std::string> sentences;
  for (const Convention& convention : study.conventions) {
    const auto chosen = reading.find(convention.name);
    if (chosen == reading.end() ||
        chosen->second == convention.options.front().word) {
      continue;
    }
    const auto option = std::ranges::find(convention.options, chosen->second,
                                          &ConventionOption::word);
    if (option != convention.options.end() && !option->says.empty()) {
      sentences.push_back(option->says);
    }
  }
  return sentences;
}

}  // namespace grader
