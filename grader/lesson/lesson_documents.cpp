// SPDX-License-Identifier: MIT
#include "grader/lesson/lesson_documents.hpp"

#include <nlohmann/json.hpp>

namespace grader {

nlohmann::json to_json(const Estimate& estimate) {
  return {{"mean", estimate.mean}, {"error", estimate.error}};
}

std::string document_of(const nlohmann::json& numbers) {
  return numbers.dump(1) + "\n";
}

std::string with_settings(std::string_view script, std::string_view names,
                          const std::vector<std::uint64_t>& values) {
  const std::string start = "\n" + std::string(names) + " = ";
  std::string result(script);
  const std::size_t begin = result.find(start) + start.size();
  std::string text;
  for (const std::uint64_t value : values) {
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  }
  return result.replace(begin, result.find('\n', begin) - begin, text);
}

}  // namespace grader
