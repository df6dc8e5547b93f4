// SPDX-License-Identifier: MIT
#include "grader/loader/prepare.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "grader/loader/choose_file.hpp"
#include "grader/loader/elf_symbols.hpp"
#include "grader/loader/inspection.hpp"
#include "grader/loader/native_sources.hpp"
#include "grader/loader/notebook.hpp"
#include "grader/loader/program_search.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "grader/system/split_words.hpp"
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

// Names were checked when the files were read; a mistake there must not write
// outside.
void write_below(const fs::path& root, const SourceFile& file) {
  const fs::path name(file.name);
  const bool is_inside = !name.empty() && name.is_relative() &&
                         std::ranges::none_of(name, [](const fs::path& part) {
                           return part == ".." || part == "." || part.empty();
                         });
  if (!is_inside) {
    throw std::logic_error("a file name that leaves the submission's folder: " +
                           one_line(file.name));
  }
  std::error_code ignored;
  fs::create_directories((root / name).parent_path(), ignored);
  write_file(root / name, file.bytes);
}

// One private folder a submission: nothing but its own files are in it, so no
// import can reach another candidate's.
struct Staging {
  std::shared_ptr<const TemporaryFolder> folder;
  fs::path root;     // the submission's files
  fs::path source;   // the first of them
  fs::path library;  // where a compiled one goes
  fs::path work;     // empty: working directory, HOME and TMPDIR
  fs::path notes;    // files of the grader's own
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

bool has_names_of_its_own(Form form) {
  return form == Form::folder || form == Form::archive;
}

Staging stage(const std::vector<SourceFile>& files, const fs::path& scratch) {
  Staging staging;
  staging.folder = std::make_shared<TemporaryFolder>(scratch, "submission");
  const fs::path& folder = staging.folder->path();
  staging.root = folder / "source";
  staging.source = staging.root / files.front().name;
  staging.library = folder / "library.so";
  staging.work = folder / "work";
  staging.notes = folder / "notes";
  for (const fs::path& path : {staging.root, staging.work, staging.notes}) {
    make_folder(path);
  }
  for (const SourceFile& file : files) {
    write_below(staging.root, file);
  }
  return staging;
}

// Under the names that they are staged with.
std::vector<SourceFile> staged_files(const Submission& submission) {
  if (has_names_of_its_own(submission.form)) {
    return submission.files;
  }
  return {{staged_name(submission), submission.files.front().bytes}};
}

Staging stage(const Submission& submission, const fs::path& scratch) {
  return stage(staged_files(submission), scratch);
}

// Built from nothing: one thread, no writing beside the file, the same hashes
// in every run.
std::vector<std::string> child_environment(const fs::path& home,
                                           const std::string& search_path) {
  std::vector<std::string> variables = {
      "PATH=" + search_path, "HOME=" + home.string(), "TMPDIR=" + home.string(),
      "LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1", "PYTHONSAFEPATH=1",
      "PYTHONHASHSEED=0", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
      "MKL_NUM_THREADS=1", "JAX_DISABLE_MOST_OPTIMIZATIONS=1", "MPLBACKEND=Agg",
      "JAX_PLATFORMS=cpu",
      // torch.compile would start a compiler: the plain function is the same.
      "TORCHDYNAMO_DISABLE=1"};
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
  program.environment = child_environment(staging.work, "/usr/bin:/bin");
  program.working_directory = staging.work;
  program.submission = staging.source;
  program.staging = staging.folder;
  return program;
}

std::vector<std::string> names_of(const std::vector<SourceFile>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const SourceFile& file : files) {
    names.push_back(file.name);
  }
  return names;
}

// Large libraries, to be loaded before the submission is.
std::vector<std::string> libraries_of(const std::vector<std::string>& imports,
                                      const Interpreter& interpreter) {
  std::vector<std::string> libraries;
  for (const char* name : {"torch", "jax"}) {
    if (std::ranges::count(imports, name) > 0 &&
        interpreter.libraries.contains(name)) {
      libraries.emplace_back(name);
    }
  }
  return libraries;
}

Preparation prepare_python(const std::vector<SourceFile>& files,
                           const LoaderContext& context) {
  const InterpreterPtr first = context.interpreters->choose({});
  if (first == nullptr) {
    return CannotGrade{
        "environment",
        missing_module_text("numpy", context.interpreters->all())};
  }
  const Staging staging = stage(files, context.scratch);
  const auto inspected = inspect_files({.interpreter = *first,
                                        .host = context.python_host,
                                        .root = staging.root,
                                        .scratch = staging.notes,
                                        .names = names_of(files)});
  const auto chosen = choose_file(inspected, context.tasks, context.match);
  if (const auto* failure = std::get_if<LoadFailure>(&chosen)) {
    return *failure;
  }
  const std::string& name = std::get<std::string>(chosen);
  const std::vector<std::string> imports = all_imports(inspected, name);
  Program program = make_program(staging, Language::python);
  program.submission = staging.root / name;
  program.root = staging.root;
  program.interpreter = context.interpreters->choose(imports);
  // Not -I: it would ignore the hash seed too. What else it does is done here:
  // no user site, and an environment and a script folder of the grader's own.
  program.argv = {program.interpreter->executable.string(), "-s", "-B",
                  (context.python_host / "start.py").string()};
  for (std::string& library : libraries_of(imports, *program.interpreter)) {
    program.time_factor = library == "jax" ? 4.0 : program.time_factor;
    program.argv.push_back(std::move(library));
  }
  return program;
}

Preparation prepare_notebook(const Submission& submission,
                             const LoaderContext& context) {
  const NotebookReading reading = read_notebook(submission.files.front().bytes);
  if (const auto* failure = std::get_if<LoadFailure>(&reading)) {
    return *failure;
  }
  return prepare_python(
      {{staged_name(submission),
        write_cells(std::get<std::vector<NotebookCell>>(reading))}},
      context);
}

Program make_native(const Staging& staging, const fs::path& library,
                    const LoaderContext& context, const std::string& bytes) {
  Program program = make_program(staging, Language::native);
  program.argv = {context.native_host.string()};
  program.submission = library;
  program.symbols = exported_functions(bytes);
  return program;
}

// `library` is a file of the submission.
Preparation prepare_library(const Submission& submission,
                            const SourceFile& library,
                            const LoaderContext& context) {
  const std::string problem = library_problem(library.bytes);
  if (!problem.empty()) {
    return LoadFailure{"library", problem};
  }
  const Staging staging = stage(submission, context.scratch);
  const fs::path path = has_names_of_its_own(submission.form)
                            ? staging.root / library.name
                            : staging.source;
  return make_native(staging, path, context, library.bytes);
}

std::string read_library(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `sources` are names below the staging's root.
Preparation compile_staged(const Staging& staging,
                           const std::vector<std::string>& sources,
                           const std::vector<std::string>& folders,
                           const LoaderContext& context) {
  const Compilation compilation =
      compile(context.compilers, {.root = staging.root,
                                  .sources = sources,
                                  .header_folders = folders,
                                  .library = staging.library,
                                  .scratch = staging.work,
                                  .include_folder = context.include_folder});
  if (const auto* failure = std::get_if<LoadFailure>(&compilation)) {
    return *failure;
  }
  if (const auto* obstacle = std::get_if<CannotGrade>(&compilation)) {
    return *obstacle;
  }
  return make_native(staging, staging.library, context,
                     read_library(staging.library));
}

Preparation prepare_source(const Submission& submission,
                           const LoaderContext& context) {
  const Staging staging = stage(submission, context.scratch);
  return compile_staged(staging, {staging.source.filename().string()}, {"."},
                        context);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + one_line(name);
  }
  return text;
}

// Says what the linker cannot: that the files were taken together, and which.
LoadFailure with_advice(LoadFailure failure, const Submission& submission,
                        const std::vector<std::string>& sources) {
  if (failure.detail.find("multiple definition of") == std::string::npos) {
    return failure;
  }
  const bool is_main =
      failure.detail.find("multiple definition of `main'") != std::string::npos;
  failure.detail =
      is_main ? "more than one file defines main: " +
                    joined(with_main(submission.files, sources)) +
                    ". Leave all but one out, or call them test_*.\n" +
                    failure.detail
              : "the sources do not fit together: " + joined(sources) +
                    " are compiled into one library. Leave out what does not "
                    "belong to it, or call it test_*.\n" +
                    failure.detail;
  return failure;
}

Preparation prepare_only_library(const Submission& submission,
                                 const LoaderContext& context) {
  std::vector<const SourceFile*> libraries;
  std::vector<std::string> names;
  for (const SourceFile& file : submission.files) {
    if (is_shared_library(file.name)) {
      libraries.push_back(&file);
      names.push_back(file.name);
    }
  }
  if (libraries.size() == 1) {
    return prepare_library(submission, *libraries.front(), context);
  }
  return LoadFailure{"library",
                     names.empty()
                         ? "no source to compile and no shared library in it"
                         : "several shared libraries and no source: " +
                               joined(names) + ". Hand in one of them"};
}

// Runs where the user is, for its files are named from there, and finds the
// programs that the user finds.
Preparation prepare_command(const Submission& submission,
                            const LoaderContext& context) {
  const auto words = split_words(submission.file);
  const auto executable =
      words && !words->empty() ? find_program(words->front()) : std::nullopt;
  if (!executable) {
    throw Error(Blame::usage,
                "cannot run --command " + one_line(submission.file) +
                    (words && !words->empty()
                         ? ": there is no program " + one_line(words->front()) +
                               " on PATH (no shell is started)"
                         : ": no command, or a quote that is not closed"));
  }
  Staging staging;
  staging.folder =
      std::make_shared<TemporaryFolder>(context.scratch, "submission");
  staging.work = staging.folder->path() / "work";
  make_folder(staging.work);
  Program program = make_program(staging, Language::command);
  program.argv = *words;
  program.argv.front() = executable->string();
  program.environment =
      child_environment(staging.work, environment_variable("PATH"));
  program.working_directory = fs::current_path();
  return program;
}

}  // namespace

LoaderContext make_loader_context(const LoaderSettings& settings) {
  LoaderContext context;
  context.interpreters = std::make_shared<Interpreters>(settings.python);
  context.compilers = find_compilers();
  context.python_host = settings.scratch / "host" / "attngrade_host";
  context.tasks = settings.tasks;
  context.match = settings.match;
  context.native_host = settings.native_host;
  context.include_folder = settings.include_folder;
  context.scratch = settings.scratch;
  make_folder(context.python_host.parent_path());
  make_folder(context.python_host);
  for (const SourceFile& file : settings.python_host) {
    write_file(context.python_host / file.name, file.bytes);
  }
  return context;
}

Preparation prepare(const Submission& submission,
                    const LoaderContext& context) {
  switch (submission.form) {
    case Form::python:
      return prepare_python(staged_files(submission), context);
    case Form::c:
    case Form::cpp:
      return prepare_source(submission, context);
    case Form::library:
      return prepare_library(submission, submission.files.front(), context);
    case Form::notebook:
      return prepare_notebook(submission, context);
    case Form::folder:
    case Form::archive:
      if (is_native_folder(submission.files)) {
        return prepare_native_folder(submission, context);
      }
      break;
    case Form::command:
      return prepare_command(submission, context);
    case Form::other:
      break;
  }
  return CannotGrade{"unsupported", "no form of submission that is graded"};
}

Preparation prepare_native_folder(const Submission& submission,
                                  const LoaderContext& context) {
  const std::vector<std::string> sources = native_sources(submission.files);
  if (sources.empty()) {
    return prepare_only_library(submission, context);
  }
  Preparation preparation =
      compile_staged(stage(submission, context.scratch), sources,
                     header_folders(submission.files), context);
  if (auto* failure = std::get_if<LoadFailure>(&preparation)) {
    return with_advice(std::move(*failure), submission, sources);
  }
  return preparation;
}

}  // namespace grader
