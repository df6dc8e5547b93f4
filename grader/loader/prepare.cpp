// SPDX-License-Identifier: MIT
#include "grader/loader/prepare.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>

#include "grader/loader/elf_symbols.hpp"
#include "grader/loader/program_search.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) {
    throw Error(Blame::environment,
                "cannot write " + path.string() + errno_text(errno));
  }
  fs::permissions(path, fs::perms::owner_read);
}

void make_folder(const fs::path& path) {
  std::error_code error;
  if (!fs::create_directory(path, error)) {
    throw Error(Blame::environment, "cannot make the folder " + path.string() +
                                        errno_text(error.value()));
  }
}

// One private folder a submission: nothing but its own file is beside it, so no
// import can reach another candidate's.
struct Staging {
  std::shared_ptr<const TemporaryFolder> folder;
  fs::path source;   // the submission's bytes
  fs::path library;  // where a compiled one goes
  fs::path work;     // empty: working directory, HOME and TMPDIR
};

// The candidate's own name, for it is in tracebacks and compiler messages; but
// not one that would have to be escaped on the way.
std::string staged_name(const Submission& submission) {
  std::string name = fs::path(submission.file).filename().string();
  if (!name.empty() && one_line(name) == name) {
    return name;
  }
  return "submission" + fs::path(name).extension().string();
}

Staging stage(const Submission& submission, const fs::path& scratch) {
  Staging staging;
  staging.folder = std::make_shared<TemporaryFolder>(scratch, "submission");
  const fs::path& root = staging.folder->path();
  staging.source = root / "source" / staged_name(submission);
  staging.library = root / "library.so";
  staging.work = root / "work";
  make_folder(root / "source");
  make_folder(staging.work);
  write_file(staging.source, submission.files.front().bytes);
  return staging;
}

// Built from nothing: one thread, no writing beside the file, the same hashes
// in every run.
std::vector<std::string> child_environment(const fs::path& home) {
  std::vector<std::string> variables = {
      "PATH=/usr/bin:/bin",        "HOME=" + home.string(),
      "TMPDIR=" + home.string(),   "LANG=C.UTF-8",
      "PYTHONDONTWRITEBYTECODE=1", "PYTHONSAFEPATH=1",
      "PYTHONHASHSEED=0",          "OMP_NUM_THREADS=1",
      "OPENBLAS_NUM_THREADS=1",    "MKL_NUM_THREADS=1"};
  // Settings that repair a broken OpenBLAS kernel on some machines.
  for (const char* name : {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"}) {
    const std::string value = environment_variable(name);
    if (!value.empty()) {
      variables.push_back(std::string(name) + "=" + value);
    }
  }
  return variables;
}

Program make_program(const Staging& staging, Language language) {
  Program program;
  program.language = language;
  program.environment = child_environment(staging.work);
  program.working_directory = staging.work;
  program.submission = staging.source;
  program.staging = staging.folder;
  return program;
}

Preparation prepare_python(const Submission& submission,
                           const LoaderContext& context) {
  const Interpreter* interpreter = usable_interpreter(context.interpreters);
  if (interpreter == nullptr) {
    return CannotGrade{"environment",
                       missing_module_text("numpy", context.interpreters)};
  }
  Program program =
      make_program(stage(submission, context.scratch), Language::python);
  // Not -I: it would ignore the hash seed too. What else it does is done here:
  // no user site, and an environment and a script folder of the grader's own.
  program.argv = {interpreter->executable.string(), "-s", "-B",
                  context.python_host_file.string()};
  return program;
}

Program make_native(const Staging& staging, const fs::path& library,
                    const LoaderContext& context, const std::string& bytes) {
  Program program = make_program(staging, Language::native);
  program.argv = {context.native_host.string()};
  program.submission = library;
  program.symbols = exported_functions(bytes);
  return program;
}

Preparation prepare_library(const Submission& submission,
                            const LoaderContext& context) {
  const std::string problem = library_problem(submission.files.front().bytes);
  if (!problem.empty()) {
    return LoadFailure{"library", problem};
  }
  const Staging staging = stage(submission, context.scratch);
  return make_native(staging, staging.source, context,
                     submission.files.front().bytes);
}

std::string read_library(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Preparation prepare_source(const Submission& submission,
                           const LoaderContext& context) {
  const Staging staging = stage(submission, context.scratch);
  const Compilation compilation = compile(
      context.compilers, {submission.form, staging.source, staging.library,
                          staging.work, context.include_folder});
  if (const auto* failure = std::get_if<LoadFailure>(&compilation)) {
    return *failure;
  }
  if (const auto* obstacle = std::get_if<CannotGrade>(&compilation)) {
    return *obstacle;
  }
  return make_native(staging, staging.library, context,
                     read_library(staging.library));
}

}  // namespace

LoaderContext make_loader_context(const LoaderSettings& settings) {
  LoaderContext context;
  context.interpreters =
      find_interpreters(settings.python, Search::first_usable);
  context.compilers = find_compilers();
  context.python_host_file =
      settings.scratch / "host" / "attngrade_host" / "start.py";
  context.native_host = settings.native_host;
  context.include_folder = settings.include_folder;
  context.scratch = settings.scratch;
  const fs::path package = context.python_host_file.parent_path();
  make_folder(package.parent_path());
  make_folder(package);
  for (const SourceFile& file : settings.python_host) {
    write_file(package / file.name, file.bytes);
  }
  return context;
}

Preparation prepare(const Submission& submission,
                    const LoaderContext& context) {
  switch (submission.form) {
    case Form::python:
      return prepare_python(submission, context);
    case Form::c:
    case Form::cpp:
      return prepare_source(submission, context);
    case Form::library:
      return prepare_library(submission, context);
    case Form::notebook:
    case Form::folder:
    case Form::archive:
    case Form::other:
      break;
  }
  return CannotGrade{"unsupported", "no form of submission that is graded"};
}

}  // namespace grader
