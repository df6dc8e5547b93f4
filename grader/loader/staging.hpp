// SPDX-License-Identifier: MIT
// Lays the files of a submission out in a private folder, from where they are
// compiled or run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "grader/loader/program.hpp"
#include "grader/submission/submission.hpp"
#include "grader/submission/temporary_folder.hpp"

namespace grader {

// Nothing but the submission's own files are in its folder, so no import can
// reach another candidate's.
struct Staging {
  std::shared_ptr<const TemporaryFolder> folder;
  std::filesystem::path root;     // the submission's files
  std::filesystem::path library;  // where a compiled one goes
  std::filesystem::path work;     // empty: working directory, HOME and TMPDIR
  std::filesystem::path notes;    // files of the grader's own
};

// The submission's files under the names that they are staged with: those of a
// folder or an archive their own, with a substitute of one byte for each that
// is no UTF-8, "_" where all names stay apart by that; a single file its last
// part, or "submission.py" where that would have to be escaped on the way.
// The failure: names that no substitute keeps apart.
std::variant<std::vector<SourceFile>, LoadFailure> staged_files(
    const Submission& submission);

// Writes them, read-only. Throws Error (environment).
Staging stage(const std::vector<SourceFile>& files,
              const std::filesystem::path& scratch);

// A folder of its own without any file in it.
Staging stage_nothing(const std::filesystem::path& scratch);

// Without namespaces root's submissions run as nobody, who must come by the
// scratch folder to the files that are staged below, under names that nobody
// can guess.
void let_pass(const Isolation& isolation, const std::filesystem::path& scratch);

// A program in the staging's working directory, which sees the submission's
// files; what is run is for the caller to fill in.
Program make_program(const Staging& staging, Language language,
                     const Isolation& isolation);

// Variables of a child, built from nothing: one thread, no writing beside the
// files, the same hashes in every run.
std::vector<std::string> child_environment(const std::filesystem::path& home,
                                           const std::string& search_path);

// Throw Error (environment).
void write_file(const std::filesystem::path& path, const std::string& bytes);
void make_folder(const std::filesystem::path& path);
// With everything in it, for all: in a cell a submission has another id. Who is
// to see it is up to the folder above, which is private.
void make_readable(const std::filesystem::path& path);

}  // namespace grader
