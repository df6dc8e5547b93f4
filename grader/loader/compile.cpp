// SPDX-License-Identifier: MIT
#include "grader/loader/compile.hpp"

#include <chrono>
#include <iterator>
#include <sstream>
#include <utility>

#include "grader/loader/program_search.hpp"
#include "grader/loader/shorten.hpp"
#include "grader/system/command.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

constexpr std::size_t message_limit = 4000;  // bytes, of the shortened text

CommandLimits compile_limits() {
  CommandLimits limits;
  limits.wall = std::chrono::seconds(120);
  limits.cpu = std::chrono::seconds(30);
  limits.memory = std::uint64_t{2} << 30;
  limits.file_size = std::uint64_t{64} << 20;
  limits.output = std::size_t{256} << 10;
  return limits;
}

std::vector<std::string> find_compiler(const std::string& variable,
                                       const std::vector<std::string>& names) {
  std::istringstream words(environment_variable(variable));
  std::vector<std::string> command{std::istream_iterator<std::string>(words),
                                   std::istream_iterator<std::string>()};
  if (!command.empty()) {
    if (const auto program = find_program(command.front())) {
      command.front() = program->string();
      return command;
    }
  }
  for (const std::string& name : names) {
    if (const auto program = find_program(name)) {
      return {program->string()};
    }
  }
  return {};
}

// The file name is passed as "./NAME": it may begin with "-" or "@".
std::vector<std::string> command_line(const std::vector<std::string>& compiler,
                                      const CompileRequest& request) {
  const bool is_c = request.form == Form::c;
  std::vector<std::string> argv = compiler;
  argv.insert(argv.end(),
              {is_c ? "-std=gnu17" : "-std=c++20", "-O2", "-ffp-contract=off",
               "-fPIC", "-shared", "-fdiagnostics-color=never", "-I",
               request.include_folder.string(), "-x", is_c ? "c" : "c++",
               "./" + request.source.filename().string(), "-x", "none", "-o",
               request.library.string(), "-Wl,-z,defs", "-lm"});
  return argv;
}

// Compilers may be wrappers (ccache) with files of their own: HOME is kept away
// from them. Messages in plain ASCII English.
std::vector<std::string> compiler_environment(
    const std::filesystem::path& scratch) {
  const std::string path = environment_variable("PATH");
  return {"PATH=" + (path.empty() ? "/usr/bin:/bin" : path),
          "HOME=" + scratch.string(), "TMPDIR=" + scratch.string(),
          "CCACHE_DISABLE=1", "LC_ALL=C"};
}

constexpr const char* limits_text =
    "\nthe compiler has 30 s of CPU time (120 s in all), 2 GiB of memory and "
    "64 MiB for each file it writes, and this was not enough";

// The driver reports what became of the programs that it starts.
bool hit_a_limit(const CommandResult& result) {
  const auto says = [&](const char* text) {
    return result.standard_error.find(text) != std::string::npos;
  };
  return result.timed_out || result.signal != 0 ||
         says("signal terminated program") || says("out of memory allocating");
}

std::string shorten(std::string message, const CompileRequest& request) {
  const std::string name = request.source.filename().string();
  for (std::size_t at = message.find("./" + name); at != std::string::npos;
       at = message.find("./" + name, at)) {
    message.erase(at, 2);
  }
  message =
      without_folders(std::move(message),
                      {request.scratch, request.source.parent_path(),
                       request.library.parent_path(), request.include_folder});
  while (message.ends_with('\n')) {
    message.pop_back();
  }
  if (message.size() > message_limit) {
    message.resize(message.rfind('\n', message_limit) + 1);
    message += "... (more messages follow)";
  }
  return printable(message);
}

CannotGrade no_compiler(const CompileRequest& request) {
  const bool is_c = request.form == Form::c;
  return {"environment", std::string("needs a ") + (is_c ? "C" : "C++") +
                             " compiler; none was found. Install " +
                             (is_c ? "gcc, or name one: CC=PATH"
                                   : "g++, or name one: CXX=PATH")};
}

}  // namespace

Compilers find_compilers() {
  return {find_compiler("CC", {"cc", "gcc", "clang"}),
          find_compiler("CXX", {"c++", "g++", "clang++"})};
}

Compilation compile(const Compilers& compilers, const CompileRequest& request) {
  const auto& compiler = request.form == Form::c ? compilers.c : compilers.cpp;
  if (compiler.empty()) {
    return no_compiler(request);
  }
  const CommandLimits limits = compile_limits();
  const CommandResult result = run_command(
      command_line(compiler, request), compiler_environment(request.scratch),
      request.source.parent_path(), limits);
  if (result.succeeded()) {
    return std::monostate();
  }
  std::string detail = shorten(result.standard_error, request);
  if (hit_a_limit(result) || detail.empty()) {
    detail += limits_text;
  }
  return LoadFailure{"compile", "does not compile:\n" + detail};
}

}  // namespace grader
