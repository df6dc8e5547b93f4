// SPDX-License-Identifier: MIT
// Finding a Python that can grade: it needs numpy, and what the submission
// imports. Each candidate is asked once for what it is and has; of a shell shim
// the interpreter behind it.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace grader {

struct Interpreter {
  std::filesystem::path executable;  // sys.executable
  std::string version;               // "3.11.2"
  // "1.24.2", empty: it has none. Installed; whether it works, the host says.
  std::string numpy;
  // Likewise of the other libraries that submissions compute with: {"torch":
  // "2.1.0"}.
  std::map<std::string, std::string> libraries{};
  // Top-level modules that it can import.
  std::set<std::string> modules{};
  // Files and folders that it runs from: its own, its virtual environment's,
  // and those that .pth files and editable installs add.
  std::vector<std::filesystem::path> places{};
  // Of the last kind, but not to be shown to submissions: see hold_back().
  std::vector<std::filesystem::path> held_back{};
};

// Moves from `added` to interpreter.places what submissions may see: no folder
// that holds a home, shared temporary files or one of `closed`, nor anything
// inside of these last. The rest is held back.
void hold_back(const std::vector<std::filesystem::path>& added,
               const std::vector<std::filesystem::path>& closed,
               Interpreter& interpreter);

using InterpreterPtr = std::shared_ptr<const Interpreter>;

// The interpreter that is named (--python) and no other; else those of this
// machine in the order in which they are tried: the active virtual environment,
// $ATTNGRADE_PYTHON, python3 on PATH, /usr/bin/python3. Asked as far down as
// needed. Used from several threads.
class Interpreters {
 public:
  // `closed`: what submissions must not see, such as the other ones. `host`: a
  // folder of Python files that an interpreter, when it is asked, compiles for
  // all that run later, or empty. Throws Error (usage) when `named` is no
  // program.
  explicit Interpreters(const std::filesystem::path& named,
                        std::vector<std::filesystem::path> closed = {},
                        std::filesystem::path host = {});
  // These and no others.
  explicit Interpreters(std::vector<InterpreterPtr> known);

  // The executable of the one that is asked first, before it is asked; empty
  // where there is none.
  std::filesystem::path likely();

  // These throw Error (usage) when the one that is named is no Python.
  //
  // The first with numpy that has all the modules; where there is none, the
  // first with numpy of those that have most of them. Null: none has numpy.
  InterpreterPtr choose(const std::vector<std::string>& modules);

  std::vector<InterpreterPtr> all();

 private:
  bool ask_next();

  std::mutex mutex_;
  std::filesystem::path named_;  // the only one, or empty
  std::vector<std::filesystem::path> closed_;
  std::filesystem::path host_;
  std::deque<std::filesystem::path> unasked_;  // empty: it has not answered
  std::vector<InterpreterPtr> found_;
};

// Why it cannot import its numpy, or nothing.
std::string numpy_obstacle(const Interpreter& interpreter);

// "/usr/bin/python3 (Python 3.11.2, numpy 1.24.2, torch 2.1.0)", "(..., no
// numpy)"
std::string to_string(const Interpreter& interpreter);

// "needs torch; none of the interpreters found has it", with their list and the
// option that names another.
std::string missing_module_text(
    const std::string& module, const std::vector<InterpreterPtr>& interpreters);

}  // namespace grader
