// SPDX-License-Identifier: MIT
#include "grader/loader/compile.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "grader/loader/native_sources.hpp"
#include "grader/loader/program_search.hpp"
#include "grader/loader/shorten.hpp"
#include "grader/system/command.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

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

using Words = std::vector<std::string>;

// File names are passed as "./NAME": they may begin with "-" or "@". Headers of
// the submission come after the system's: its math.h must not replace <math.h>.
Words command_line(const Words& compiler, const CompileRequest& request,
                   SourceLanguage language, const Words& linking) {
  const bool is_c = language == SourceLanguage::c;
  Words argv = compiler;
  argv.insert(
      argv.end(),
      {is_c ? "-std=gnu17" : "-std=c++20", "-O2", "-ffp-contract=off", "-fPIC",
       "-fdiagnostics-color=never", "-I", request.include_folder.string()});
  for (const std::string& folder : request.header_folders) {
    argv.insert(argv.end(),
                {"-iquote", "./" + folder, "-idirafter", "./" + folder});
  }
  argv.insert(argv.end(), {"-x", is_c ? "c" : "c++"});
  for (const std::string& name : sources_in(request, language)) {
    argv.push_back("./" + name);
  }
  argv.insert(argv.end(), {"-x", "none"});
  argv.insert(argv.end(), linking.begin(), linking.end());
  return argv;
}

Words library_from(const Words& objects) {
  Words linking = {"-shared"};
  linking.insert(linking.end(), objects.begin(), objects.end());
  linking.insert(linking.end(), {"-Wl,-z,defs", "-lm"});
  return linking;
}

// Of the C sources, where there are C++ ones too.
fs::path c_object(const CompileRequest& request) {
  return request.scratch / "c_sources.o";
}

// A compiler that is not the system's has a folder of its own, such as
// /opt/gcc, with what it needs beside its programs.
void add_places(const std::string& program, std::vector<fs::path>& places) {
  std::error_code ignored;
  for (const fs::path& path :
       {fs::path(program), fs::canonical(program, ignored)}) {
    const fs::path prefix = path.parent_path().parent_path();
    for (const char* part :
         {"bin", "include", "lib", "lib64", "libexec", "share"}) {
      places.push_back(prefix / part);
    }
  }
}

// What it writes is in the scratch folder: in a cell it has no other.
Confinement confinement_of(const Words& compiler, const CompileRequest& request,
                           const fs::path& made) {
  Confinement confinement;
  confinement.shown = {request.root, request.include_folder, c_object(request)};
  add_places(compiler.front(), confinement.shown);
  confinement.work = request.scratch;
  confinement.disk = std::uint64_t{256} << 20U;
  confinement.taken = made;
  confinement.memory = compile_limits().memory + confinement.disk;
  confinement.may_start_programs = true;
  return confinement;
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

// The machine's want, which kills a program of the compiler's, not its limit.
bool lacked_memory(const CommandResult& result) {
  return !result.succeeded() && result.machine_lacked_memory &&
         hit_a_limit(result);
}

// "./src/a.c:3:" is how the compiler was told, not how the file is called.
std::string without_dots(const std::string& message) {
  constexpr std::string_view before_a_name = " \n`'\"(:";
  std::string text;
  text.reserve(message.size());
  for (std::size_t i = 0; i < message.size(); ++i) {
    const bool begins_name =
        i == 0 || before_a_name.find(message[i - 1]) != std::string_view::npos;
    if (begins_name && message.compare(i, 2, "./") == 0) {
      ++i;
      continue;
    }
    text += message[i];
  }
  return text;
}

std::string shorten(const std::string& message, const CompileRequest& request) {
  std::string text =
      without_folders(without_dots(message),
                      {request.scratch, request.root,
                       request.library.parent_path(), request.include_folder});
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  if (text.size() > message_limit) {
    text.resize(text.rfind('\n', message_limit) + 1);
    text += "... (more messages follow)";
  }
  return printable(text);
}

CannotGrade no_compiler(SourceLanguage language) {
  const bool is_c = language == SourceLanguage::c;
  return {"environment", std::string("needs a ") + (is_c ? "C" : "C++") +
                             " compiler; none was found. Install " +
                             (is_c ? "gcc, or name one: CC=PATH"
                                   : "g++, or name one: CXX=PATH")};
}

// One run of a compiler, which makes `made`. `linking` is what else comes
// behind the sources.
Compilation run_compiler(const Compilers& compilers,
                         const CompileRequest& request, SourceLanguage language,
                         Words linking, const fs::path& made) {
  const Words& compiler =
      language == SourceLanguage::c ? compilers.c : compilers.cpp;
  if (compiler.empty()) {
    return no_compiler(language);
  }
  linking.insert(linking.end(), {"-o", made.string()});
  const CommandLimits limits = compile_limits();
  const SpawnRequest run = command_request(
      command_line(compiler, request, language, linking),
      compiler_environment(request.scratch), request.root, limits);
  const SpawnRequest confined =
      confine(run, request.isolation, confinement_of(compiler, request, made));
  CommandResult result = run_command(confined, limits);
  if (lacked_memory(result)) {
    result = run_command(confined, limits);
  }
  if (lacked_memory(result)) {
    return CannotGrade{"environment",
                       "the machine ran out of memory while the compiler ran, "
                       "twice; run fewer at the same time, --jobs 1"};
  }
  if (result.succeeded()) {
    return std::monostate();
  }
  std::string detail = shorten(result.standard_error, request);
  if (hit_a_limit(result) || detail.empty()) {
    detail += limits_text;
  }
  return LoadFailure{"compile", "does not compile:\n" + detail};
}

Compilation make_library(const Compilers& compilers,
                         const CompileRequest& request, const fs::path& made) {
  const bool has_c = !sources_in(request, SourceLanguage::c).empty();
  const bool has_cpp = !sources_in(request, SourceLanguage::cpp).empty();
  if (has_c != has_cpp) {
    return run_compiler(compilers, request,
                        has_c ? SourceLanguage::c : SourceLanguage::cpp,
                        library_from({}), made);
  }
  // One standard a run: the C sources become one object for the C++ linker.
  const fs::path object = c_object(request);
  Compilation c_sources = run_compiler(compilers, request, SourceLanguage::c,
                                       {"-r", "-nostdlib"}, object);
  if (!std::holds_alternative<std::monostate>(c_sources)) {
    return c_sources;
  }
  return run_compiler(compilers, request, SourceLanguage::cpp,
                      library_from({object.string()}), made);
}

}  // namespace

std::vector<std::string> sources_in(const CompileRequest& request,
                                    SourceLanguage language) {
  Words names;
  std::ranges::copy_if(
      request.sources, std::back_inserter(names), [&](const std::string& name) {
        return is_c_source(name) == (language == SourceLanguage::c);
      });
  return names;
}

Compilers find_compilers() {
  return {find_compiler("CC", {"cc", "gcc", "clang"}),
          find_compiler("CXX", {"c++", "g++", "clang++"})};
}

Compilation compile(const Compilers& compilers, const CompileRequest& request) {
  const fs::path made = request.scratch / "library.so";
  Compilation compilation = make_library(compilers, request, made);
  if (std::holds_alternative<std::monostate>(compilation)) {
    fs::rename(made, request.library);
  }
  return compilation;
}

}  // namespace grader
