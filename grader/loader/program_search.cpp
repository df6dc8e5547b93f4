// SPDX-License-Identifier: MIT
#include "grader/loader/program_search.hpp"

#include <cstdlib>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace grader {

namespace {

bool is_program(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) &&
         access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return is_program(name) ? std::optional(std::filesystem::absolute(name))
                            : std::nullopt;
  }
  std::istringstream folders(environment_variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    if (path.is_absolute() && is_program(path)) {
      return path;
    }
  }
  return std::nullopt;
}

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr;
       ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

}  // namespace grader
