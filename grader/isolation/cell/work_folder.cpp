// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/work_folder.hpp"

#include <cstdlib>
#include <string>
#include <unistd.h>

#include "grader/isolation/cell/report.hpp"
#include "grader/system/remove_folder.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

// Root's submissions come by here as somebody else.
void let_others_pass(const fs::path& folder) {
  if (geteuid() == 0) {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::others_exec, fs::perm_options::add,
                    ignored);
  }
}

}  // namespace

WorkFolder::WorkFolder(CellOptions& options) {
  std::string name = (options.work / "cell-XXXXXX").string();
  check_step(mkdtemp(name.data()) != nullptr,
             "make a folder in " + options.work.string());
  path_ = name;
  let_others_pass(options.work);
  for (const char* variable : {"HOME", "TMPDIR"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && options.work == value) {
      setenv(variable, path_.c_str(), 1);
    }
  }
  options.folder = options.folder == options.work ? path_ : options.folder;
  options.work = path_;
}

WorkFolder::~WorkFolder() {
  remove_folder(path_);
}

}  // namespace grader
