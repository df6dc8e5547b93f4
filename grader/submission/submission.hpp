// SPDX-License-Identifier: MIT
// One submission: where it is, what form it has, and a private copy of its
// files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace grader {

// folder: one submission of several files, archive: the same, packed; command:
// no file, but a line to run (`file`), which discovery never finds.
enum class Form {
  python,
  notebook,
  c,
  cpp,
  library,
  folder,
  archive,
  command,
  other
};

enum class ProblemKind {
  unsupported,  // a form that this version does not grade: not-graded
  rejected,     // no ordinary file, too large, or a trap: rejected
  unreadable,   // load-error
  empty,        // load-error
};

std::string to_string(ProblemKind kind);  // "unsupported", ...

struct Problem {
  ProblemKind kind = ProblemKind::rejected;
  std::string detail;  // ready to show
};

// A private copy of one file. The name is relative, with "/" between folders
// and without "..": what may be in it was checked when it was read.
struct SourceFile {
  std::string name;
  std::string bytes;
};

// Of a folder or an archive: its files by the bytes of their names.
using FilesOrProblem = std::variant<std::vector<SourceFile>, Problem>;

// Names are any bytes; show them through printable().
struct Submission {
  std::filesystem::path path;   // to open; a typed symbolic link is resolved
  std::filesystem::path typed;  // as the user knows it: "submissions/ana.py"
  // Below the folder that was typed ("ana.py"); of a typed file its last part,
  // and `typed` where two submissions would share that.
  std::string file;
  Form form = Form::other;
  std::optional<Problem> problem;
  // Filled in by read_submission.
  std::string sha256;
  std::vector<SourceFile> files;  // one, but for folders and archives
};

}  // namespace grader
