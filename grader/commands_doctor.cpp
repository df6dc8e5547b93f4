// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iostream>
#include <string>

#include "grader/commands.hpp"
#include "grader/isolation/find_isolation.hpp"
#include "grader/loader/context.hpp"
#include "grader/loader/interpreter.hpp"
#include "grader/loader/staging.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/wording.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// Counts what is missing, and prints how to get it.
class Examination {
 public:
  void found(std::string_view what, const std::string& where) {
    std::cout << labelled(what, where, columns_);
  }
  void missing(std::string_view what, const std::string& remedy) {
    ++missing_;
    std::cout << labelled(what, "MISSING: " + remedy, columns_);
  }
  bool is_healthy() const { return missing_ == 0; }

 private:
  static constexpr Columns columns_{2, 14, 80};
  int missing_ = 0;
};

void examine_interpreters(const Options& options, Examination& examination) {
  Interpreters search(options.python, {find_data(options.fixtures).fixtures});
  const InterpreterPtr chosen = search.choose({});
  for (const InterpreterPtr& interpreter : search.all()) {
    std::string text = one_line(to_string(*interpreter));
    text += interpreter == chosen ? "; used first" : "";
    examination.found("Python", text);
    const std::string obstacle =
        interpreter->numpy.empty() ? "" : numpy_obstacle(*interpreter);
    if (!obstacle.empty()) {
      examination.missing("  numpy",
                          "it cannot be imported: " + one_line(obstacle, 400) +
                              "; repair it, or name another "
                              "interpreter with --python PATH");
    }
    for (const std::filesystem::path& folder : interpreter->held_back) {
      examination.found("  not shown",
                        one_line(folder.string()) +
                            ", to submissions: it holds what is none of "
                            "theirs, so libraries in it are not found");
    }
  }
  for (const char* library : {"torch", "jax"}) {
    const bool is_there =
        std::ranges::any_of(search.all(), [&](const InterpreterPtr& one) {
          return one->libraries.contains(library);
        });
    if (!is_there) {
      examination.found(library,
                        "none of them has it: submissions that need it are not "
                        "graded; pip install it in a virtual environment and "
                        "name that, --python PATH");
    }
  }
  if (chosen == nullptr) {
    examination.missing(
        "numpy",
        "no interpreter has it, so .py submissions cannot be graded; "
        "apt-get install python3-numpy, or pip install numpy in a virtual "
        "environment, or name another interpreter with --python PATH");
  }
}

void examine_compiler(std::string_view what, std::string_view form,
                      SourceLanguage language, const LoaderContext& context,
                      Examination& examination) {
  const auto& command = language == SourceLanguage::c ? context.compilers.c
                                                      : context.compilers.cpp;
  if (command.empty()) {
    examination.missing(what, std::string(form) +
                                  " submissions cannot be graded; apt-get "
                                  "install g++, or set CC and CXX");
    return;
  }
  examination.found(what, one_line(join(command, " ")));
  if (context.include_folder.empty()) {
    return;  // told below, and no source compiles without it
  }
  if (const auto obstacle =
          context.compiler_trials->obstacle(language, context)) {
    examination.missing("  works", one_line(obstacle->detail, 1200));
  }
}

// In cells like those of `grade`.
void examine_compilers(const Options& options, const Isolation& isolation,
                       Examination& examination) {
  const TemporaryFolder scratch(temporary_root(), "attngrade-doctor");
  let_pass(isolation, scratch.path());
  LoaderContext context;
  context.compilers = find_compilers();
  context.include_folder = find_data(options.fixtures).include_folder;
  context.scratch = scratch.path();
  context.isolation = isolation;
  examine_compiler("C compiler", ".c", SourceLanguage::c, context, examination);
  examine_compiler("C++ compiler", ".cpp", SourceLanguage::cpp, context,
                   examination);
}

void examine_data(const Options& options, Examination& examination) {
  const DataPaths data = find_data(options.fixtures);
  examination.found("Fixtures", one_line(data.fixtures.string()));
  const std::string remedy =
      " is not beside the program; install it again, or "
      "set ATTNGRADE_DATA to its folder";
  if (data.include_folder.empty()) {
    examination.missing("attngrade.h", "attngrade.h" + remedy);
  } else {
    examination.found("attngrade.h", one_line(data.include_folder.string()));
  }
  if (data.native_host.empty()) {
    examination.missing("Native host", "native_host" + remedy);
  } else {
    examination.found("Native host", one_line(data.native_host.string()));
  }
}

constexpr const char* without_isolation =
    "A submission runs in a process of its own, with limits on time, memory "
    "and output, and otherwise with your rights: your files and your network. "
    "Grade only what you would run yourself, or do it in a container or a "
    "virtual machine.";

std::string attacks_that(bool is_held, const IsolationFinding& finding) {
  std::vector<std::string> names;
  for (const ProbeResult& result : finding.probed) {
    if (result.is_held == is_held) {
      names.push_back(result.attack);
    }
  }
  return join(names, ", ");
}

// Nothing is missing where it is not granted: that is the machine's policy.
void examine_isolation(const IsolationFinding& finding,
                       Examination& examination) {
  const IsolationLevel level = finding.isolation.level;
  examination.found("Isolation", to_string(level) + ", " + finding.detail);
  if (level == IsolationLevel::level0) {
    examination.found("", without_isolation);
  } else {
    examination.found("  held", attacks_that(true, finding));
  }
  if (!finding.obstacle.empty()) {
    examination.found("  no better", one_line(finding.obstacle, 400) +
                                         "; docs/isolation.md says what may "
                                         "help");
  }
}

}  // namespace

int run_doctor(const Options& options) {
  Examination examination;
  std::cout << "attngrade " << tool_version() << "\n\n";
  examine_interpreters(options, examination);
  const IsolationFinding finding =
      find_isolation("auto", "", tools_of(find_data(options.fixtures)));
  examine_compilers(options, finding.isolation, examination);
  examine_data(options, examination);
  examine_isolation(finding, examination);
  std::cout << (examination.is_healthy() ? "\nWhat the grader needs is there.\n"
                                         : "\nSomething is missing.\n");
  return examination.is_healthy() ? exit_success : exit_environment;
}

}  // namespace grader
