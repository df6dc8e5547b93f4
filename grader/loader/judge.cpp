// SPDX-License-Identifier: MIT
#include "grader/loader/judge.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <system_error>

#include "grader/system/text.hpp"

namespace grader {

namespace {

constexpr std::array<std::string_view, 4> other_frameworks = {
    "tensorflow", "keras", "mlx", "paddle"};

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

CannotGrade not_in_a_cell(const std::string& module, const std::string& failure,
                          const Interpreter& interpreter) {
  std::string text =
      "needs " + module + ", which " + interpreter.executable.string() +
      " has, and cannot import where submissions run: " + failure;
  for (const std::filesystem::path& folder : interpreter.held_back) {
    text +=
        "\n    not shown to submissions, for it holds what is none of "
        "theirs: " +
        one_line(folder.string());
  }
  return {"environment",
          text +
              "\n    install it into the interpreter's own site-packages, not "
              "by -e, or name another interpreter: --python PATH"};
}

// The first of the modules that the interpreter has and cannot import without
// the submission either.
std::optional<CannotGrade> first_broken(const std::vector<std::string>& modules,
                                        const Program& program,
                                        const TryModule& try_module) {
  if (program.interpreter == nullptr) {
    return std::nullopt;
  }
  for (const std::string& module : modules) {
    const std::string trouble =
        program.interpreter->modules.contains(module) ? try_module(module) : "";
    if (!trouble.empty()) {
      return not_in_a_cell(module, trouble, *program.interpreter);
    }
  }
  return std::nullopt;
}

}  // namespace

std::variant<LoadFailure, CannotGrade> judge_load_failure(
    const LoadFailure& failure, const std::vector<Task>& tasks,
    const Program& program, const std::vector<InterpreterPtr>& interpreters,
    const TryModule& try_module) {
  if (failure.kind == "device") {
    if (may_lack_device(program)) {
      return CannotGrade{"environment", failure.detail};
    }
    return LoadFailure{"exception", failure.detail};
  }
  if (failure.kind != "import") {
    if (const auto lost = lost_library(program, try_module)) {
      return *lost;
    }
    return failure;
  }
  const std::string module = missing_module(failure.detail);
  const bool is_there = program.interpreter != nullptr &&
                        program.interpreter->modules.contains(module);
  if (!is_there && std::ranges::count(other_frameworks, module) > 0) {
    return CannotGrade{"unsupported",
                       "needs " + module +
                           ": functions on the tensors of numpy, torch and JAX "
                           "are graded, and plain Python, C and C++"};
  }
  std::vector<std::string> modules = program.imports;
  modules.insert(modules.begin(), module);
  if (const auto broken = first_broken(modules, program, try_module)) {
    return *broken;
  }
  if (is_there || !is_provided(module, tasks)) {
    return failure;
  }
  return CannotGrade{"environment", missing_module_text(module, interpreters)};
}

std::optional<CannotGrade> lost_library(const Program& program,
                                        const TryModule& try_module) {
  const bool may_be_lost =
      program.interpreter != nullptr && !program.interpreter->held_back.empty();
  return may_be_lost ? first_broken(program.imports, program, try_module)
                     : std::nullopt;
}

bool may_lack_device(const Program& program) {
  const auto has = [&](const char* module) {
    return program.interpreter->modules.contains(module);
  };
  return program.mentions_device && program.interpreter != nullptr &&
         (has("torch") || has("jax"));
}

void refute_excuses(const Program& program, const TryModule& try_module,
                    Description& description) {
  if (program.interpreter == nullptr) {
    return;
  }
  const bool has_device_words = may_lack_device(program);
  for (Callable& callable : description.callables) {
    const std::string module = missing_module(callable.problem);
    if (lacks_device(callable.problem) && !has_device_words) {
      callable.problem.insert(0, "its constructor fails: ");
    } else if (program.interpreter->modules.contains(module) &&
               try_module(module).empty()) {
      callable.problem = "its constructor fails for want of " + module +
                         ", which the interpreter has";
    }
    // Keras may be there, and compute with another library than torch.
    const bool may_be_environments =
        has_device_words || std::ranges::count(program.imports, "keras") > 0;
    if (callable.module && !may_be_environments &&
        callable.module->problem_kind == "environment") {
      callable.module->problem_kind = "constructor";
    }
  }
}

bool lacks_provided_module(const std::string& text,
                           const std::vector<Task>& tasks) {
  return is_provided(missing_module(text), tasks);
}

bool lacks_device(const std::string& problem) {
  return problem.starts_with("needs a CUDA device") ||
         problem.starts_with("needs a GPU");
}

namespace {

// The name in "fatal error: softmax.h: No such file or directory", as gcc has
// it, or "fatal error: 'softmax.h' file not found"; else "".
std::string missing_header(const std::string& text) {
  static constexpr std::string_view start = "fatal error: ";
  const std::size_t found = text.find(start);
  if (found == std::string::npos) {
    return "";
  }
  const std::string line = text.substr(
      found + start.size(), text.find('\n', found) - found - start.size());
  const bool is_quoted = line.starts_with("'");
  const std::size_t end =
      line.find(is_quoted ? "' file not found" : ": No such file");
  return end == std::string::npos
             ? ""
             : line.substr(is_quoted ? 1 : 0, end - (is_quoted ? 1 : 0));
}

}  // namespace

std::string missed_neighbour(const LoadFailure& failure,
                             const std::filesystem::path& path) {
  std::error_code ignored;
  if (failure.kind == "compile") {
    const std::filesystem::path header = missing_header(failure.detail);
    const bool is_below =
        header.is_relative() && std::ranges::find(header, "..") == header.end();
    return is_below && std::filesystem::is_regular_file(
                           path.parent_path() / header, ignored)
               ? header.string()
               : "";
  }
  const std::string module = missing_module(failure.detail);
  // A module's name, not a way to somewhere else.
  const bool is_name =
      !module.empty() && std::ranges::all_of(module, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_';
      });
  if (failure.kind != "import" || !is_name) {
    return "";
  }
  const std::filesystem::path beside = path.parent_path() / module;
  if (std::filesystem::is_regular_file(beside.string() + ".py", ignored)) {
    return module + ".py";
  }
  return std::filesystem::is_directory(beside, ignored) ? module + "/" : "";
}

}  // namespace grader
