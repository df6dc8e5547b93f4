// SPDX-License-Identifier: MIT
#include "grader/loader/prepare.hpp"

#include <stdexcept>
#include <utility>

#include "grader/loader/native_sources.hpp"
#include "grader/loader/prepare_native.hpp"
#include "grader/loader/prepare_python.hpp"
#include "grader/loader/program_search.hpp"
#include "grader/loader/staging.hpp"
#include "grader/submission/forms.hpp"
#include "grader/system/error.hpp"
#include "grader/system/split_words.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

bool is_missing_function(const Preparation& preparation) {
  const auto* failure = std::get_if<LoadFailure>(&preparation);
  return failure != nullptr && failure->kind == "no-function";
}

Preparation prepare_folder(const std::vector<SourceFile>& files,
                           const LoaderContext& context) {
  const bool has_native = is_native(files);
  if (has_native && is_native_source(context.match.file)) {
    return prepare_native(files, context);
  }
  if (has_python(files)) {
    Preparation preparation = prepare_python(files, !has_native, context);
    if (!has_native || !is_missing_function(preparation)) {
      return preparation;
    }
  }
  if (has_native) {
    return prepare_native(files, context);
  }
  return LoadFailure{"no-function",
                     "holds no file that could be graded, only " +
                         one_line(files.front().name, 100) +
                         (files.size() > 1 ? " and the like" : "") +
                         ". Submissions are " + std::string(supported_forms)};
}

Preparation prepare_files(Form form, std::vector<SourceFile> files,
                          const LoaderContext& context) {
  switch (form) {
    case Form::python:
    case Form::notebook:
      return prepare_python(std::move(files), true, context);
    case Form::c:
    case Form::cpp:
    case Form::library:
      return prepare_native(files, context);
    case Form::folder:
    case Form::archive:
      return prepare_folder(files, context);
    case Form::command:
    case Form::other:
      break;
  }
  throw std::logic_error("a form of submission without files");
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
  const Staging staging = stage_nothing(context.scratch);
  Program program = make_program(staging, Language::command, {});
  program.argv = *words;
  program.argv.front() = executable->string();
  program.environment =
      child_environment(staging.work, environment_variable("PATH"));
  program.working_directory = fs::current_path();
  return program;
}

}  // namespace

Preparation prepare(const Submission& submission,
                    const LoaderContext& context) {
  if (submission.form == Form::command) {
    return prepare_command(submission, context);
  }
  if (submission.form == Form::other) {
    return CannotGrade{"unsupported", "no form of submission that is graded"};
  }
  auto staged = staged_files(submission);
  if (auto* failure = std::get_if<LoadFailure>(&staged)) {
    return std::move(*failure);
  }
  return prepare_files(submission.form,
                       std::get<std::vector<SourceFile>>(std::move(staged)),
                       context);
}

}  // namespace grader
