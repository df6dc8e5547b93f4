// SPDX-License-Identifier: MIT
// Finding a Python that can grade: it needs numpy. Each candidate is asked once
// for what it is; a shell shim answers for the interpreter behind it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

struct Interpreter {
  std::filesystem::path executable;  // sys.executable
  std::string version;               // "3.11.2"
  std::string numpy;                 // "1.24.2", empty: it has none
  // Of the libraries that submissions use beside numpy, those it has (their
  // presence; they are not imported): "torch", "scipy", ...
  std::vector<std::string> modules;
};

enum class Search {
  first_usable,  // stop at the first one with numpy, which is the last then
  all,
};

// In this order: `named` (--python) and no other, where it is not empty; the
// active virtual environment; $ATTNGRADE_PYTHON, the project's own; python3 on
// PATH; /usr/bin/python3. Throws Error (usage) when `named` is no Python.
std::vector<Interpreter> find_interpreters(const std::filesystem::path& named,
                                           Search search);

// The first with numpy, or null.
const Interpreter* usable_interpreter(
    const std::vector<Interpreter>& interpreters);

// "/usr/bin/python3 (Python 3.11.2, numpy 1.24.2)", "(..., no numpy)"
std::string to_string(const Interpreter& interpreter);

// "needs torch; none of the interpreters found has it", with their list and the
// option that names another.
std::string missing_module_text(const std::string& module,
                                const std::vector<Interpreter>& interpreters);

}  // namespace grader
