// SPDX-License-Identifier: MIT
// What the Python files of a submission import and define, read from their
// syntax trees by an interpreter, before anything of them runs.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/isolation/confinement.hpp"
#include "grader/loader/interpreter.hpp"
#include "grader/loader/limits.hpp"
#include "grader/loader/named_calls.hpp"
#include "grader/loader/program.hpp"

namespace grader {

struct FileInspection {
  std::string name;                      // as in SourceFile
  std::vector<std::string> imports;      // modules it cannot run without
  std::vector<std::string> uses;         // modules of the same submission
  std::vector<std::string> definitions;  // names bound at top level
  // Why the parser could not be done with it, or empty. Then `imports` are what
  // looks like one in its text.
  std::string cut{};
  // A word for a graphics card or the like is in it.
  bool mentions_device = false;
  NamedCalls calls{};  // of what is watched
};

struct InspectionRequest {
  Interpreter interpreter;
  std::filesystem::path host;     // the folder attngrade_host
  std::filesystem::path root;     // of the submission's files
  std::filesystem::path scratch;  // for files of the grader's own
  std::vector<std::string> names;
  std::string watched = "{}";  // see fixture/forbidden_calls.hpp
  Isolation isolation{};
};

// One for each name, in their order. Of a file with an error in it they are
// empty: loading says what is wrong. A bomb for the parser takes nothing from
// the files behind it. Throws Error (environment) where the program that reads
// them ended, twice, as no file can make it end.
std::vector<FileInspection> inspect_files(const InspectionRequest& request);

// The same by a copy of the host's server, which waits afterwards to load one
// of the files. Nothing where there is no server, or it is not done within a
// few seconds, or ends: one of the files is too much for it.
struct HostInspection {
  std::vector<FileInspection> files;
  std::shared_ptr<WaitingHost> host;
};
std::optional<HostInspection> inspect_in_host(const InspectionRequest& request,
                                              const Program& host,
                                              const Limits& limits);

// Does it import the file of that name?
bool uses_file(const FileInspection& file, const std::string& name);

// Does the file, or one of those of the submission that it uses, mention one?
bool mention_device(const std::vector<FileInspection>& files,
                    const std::string& name);

// Modules that the file, or those of the submission that it uses, import.
std::vector<std::string> all_imports(const std::vector<FileInspection>& files,
                                     const std::string& name);

}  // namespace grader
