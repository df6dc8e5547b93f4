// SPDX-License-Identifier: MIT
#include "grader/loader/prepare_native.hpp"

#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "grader/loader/elf_symbols.hpp"
#include "grader/loader/native_sources.hpp"
#include "grader/loader/staging.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

Program make_native(const Staging& staging, const fs::path& library,
                    const LoaderContext& context, const std::string& bytes) {
  Program program = make_program(staging, Language::native, context.isolation);
  program.confinement.shown.insert(program.confinement.shown.end(),
                                   {context.native_host, library});
  program.argv = {context.native_host.string()};
  program.fork_servers = context.fork_servers;
  program.server = ServerPlan{{context.native_host.string(), "--fork-server"},
                              program.environment,
                              {context.native_host}};
  program.submission = library;
  program.symbols = exported_functions(bytes);
  return program;
}

// `library` is one of `files`.
Preparation load_library(const std::vector<SourceFile>& files,
                         const SourceFile& library,
                         const LoaderContext& context) {
  const std::string problem = library_problem(library.bytes);
  if (!problem.empty()) {
    return LoadFailure{"library", problem};
  }
  const Staging staging = stage(files, context.scratch);
  return make_native(staging, staging.root / library.name, context,
                     library.bytes);
}

std::string read_library(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Asked where a source does not compile: that one compiles says enough.
std::optional<CannotGrade> broken_compiler(const CompileRequest& request,
                                           const LoaderContext& context) {
  for (const SourceLanguage language :
       {SourceLanguage::c, SourceLanguage::cpp}) {
    if (sources_in(request, language).empty()) {
      continue;
    }
    if (auto obstacle = context.compiler_trials->obstacle(language, context)) {
      return obstacle;
    }
  }
  return std::nullopt;
}

// `sources` are names below the staging's root.
Preparation compile_staged(const Staging& staging,
                           const std::vector<std::string>& sources,
                           const std::vector<std::string>& folders,
                           const LoaderContext& context) {
  const CompileRequest request = {.root = staging.root,
                                  .sources = sources,
                                  .header_folders = folders,
                                  .library = staging.library,
                                  .scratch = staging.work,
                                  .include_folder = context.include_folder,
                                  .isolation = context.isolation};
  const Compilation compilation = compile(context.compilers, request);
  if (const auto* failure = std::get_if<LoadFailure>(&compilation)) {
    if (const auto obstacle = broken_compiler(request, context)) {
      return *obstacle;
    }
    return *failure;
  }
  if (const auto* obstacle = std::get_if<CannotGrade>(&compilation)) {
    return *obstacle;
  }
  make_readable(staging.library);
  return make_native(staging, staging.library, context,
                     read_library(staging.library));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + one_line(name);
  }
  return text;
}

// Says what the linker cannot: that the files were taken together, which, and
// which were not.
LoadFailure with_advice(LoadFailure failure,
                        const std::vector<SourceFile>& files,
                        const std::vector<std::string>& sources) {
  const auto says = [&](const char* text) {
    return failure.detail.find(text) != std::string::npos;
  };
  const std::string left = left_aside(files, sources);
  const std::string aside = left.empty() ? "" : " Left aside: " + left + ".";
  std::string advice;
  if (says("multiple definition of `main'")) {
    advice = "more than one file defines main: " +
             joined(with_main(files, sources)) +
             ". Leave all but one out, or call them test_*." + aside;
  } else if (says("multiple definition of")) {
    advice = "the sources do not fit together: " + joined(sources) +
             " are compiled into one library. Leave out what does not belong "
             "to it, or call it test_*." +
             aside;
  } else if (says("undefined reference to") && !left.empty()) {
    advice = "something is missing in what was compiled: " + joined(sources) +
             "." + aside +
             " Rename what is no test; include nothing under #if.";
  } else {
    return failure;
  }
  failure.detail = advice + "\n" + failure.detail;
  return failure;
}

Preparation load_only_library(const std::vector<SourceFile>& files,
                              const LoaderContext& context) {
  std::vector<const SourceFile*> libraries;
  std::vector<std::string> names;
  for (const SourceFile& file : files) {
    if (is_shared_library(file.name)) {
      libraries.push_back(&file);
      names.push_back(file.name);
    }
  }
  if (libraries.size() == 1) {
    return load_library(files, *libraries.front(), context);
  }
  return LoadFailure{"library",
                     names.empty()
                         ? "no source to compile and no shared library in it"
                         : "several shared libraries and no source: " +
                               joined(names) + ". Hand in one of them"};
}

}  // namespace

Preparation prepare_native(const std::vector<SourceFile>& files,
                           const LoaderContext& context) {
  const std::vector<std::string> sources = native_sources(files);
  if (sources.empty()) {
    return load_only_library(files, context);
  }
  Preparation preparation = compile_staged(
      stage(files, context.scratch), sources, header_folders(files), context);
  if (auto* failure = std::get_if<LoadFailure>(&preparation)) {
    return with_advice(std::move(*failure), files, sources);
  }
  if (auto* program = std::get_if<Program>(&preparation)) {
    if (context.native_host.empty()) {
      return CannotGrade{"environment",
                         "the program native_host, which calls C and C++, is "
                         "not there: `attngrade doctor` says where it is "
                         "looked for"};
    }
    program->left_aside = left_aside(files, sources);
  }
  return preparation;
}

}  // namespace grader
