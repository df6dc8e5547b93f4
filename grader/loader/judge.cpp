// SPDX-License-Identifier: MIT
#include "grader/loader/judge.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace grader {

namespace {

constexpr std::array<std::string_view, 8> frameworks = {
    "torch", "jax", "tensorflow", "keras", "flax", "equinox", "mlx", "paddle"};

// The name in Python's "No module named 'torch'". A dotted name means that the
// package itself was found.
std::string missing_module(const std::string& detail) {
  constexpr std::string_view phrase = "No module named '";
  const std::size_t start = detail.find(phrase);
  if (start == std::string::npos) {
    return "";
  }
  const std::size_t name = start + phrase.size();
  const std::size_t end = detail.find('\'', name);
  return end == std::string::npos ? "" : detail.substr(name, end - name);
}

bool is_provided(const std::string& module, const std::vector<Task>& tasks) {
  return std::ranges::any_of(tasks, [&](const Task& task) {
    return std::ranges::find(task.libraries, module) != task.libraries.end();
  });
}

bool has_module(const Interpreter& interpreter, const std::string& module) {
  return (module == "numpy" && !interpreter.numpy.empty()) ||
         std::ranges::find(interpreter.modules, module) !=
             interpreter.modules.end();
}

}  // namespace

std::optional<CannotGrade> refuse_frameworks(
    const std::vector<std::string>& modules) {
  for (const std::string& module : modules) {
    if (std::ranges::find(frameworks, module) != frameworks.end()) {
      return CannotGrade{"unsupported",
                         "imports " + module +
                             ": this version grades numpy, plain Python, C and "
                             "C++ submissions"};
    }
  }
  return std::nullopt;
}

std::variant<LoadFailure, CannotGrade> judge_load_failure(
    const LoadFailure& failure, const std::vector<Task>& tasks,
    const std::vector<Interpreter>& interpreters) {
  if (failure.kind != "import") {
    return failure;
  }
  const std::string module = missing_module(failure.detail);
  if (const auto refusal = refuse_frameworks({module})) {
    return *refusal;
  }
  const Interpreter* used = usable_interpreter(interpreters);
  const bool is_there = used != nullptr && has_module(*used, module);
  if (is_there || !is_provided(module, tasks)) {
    return failure;
  }
  return CannotGrade{"environment", missing_module_text(module, interpreters)};
}

}  // namespace grader
