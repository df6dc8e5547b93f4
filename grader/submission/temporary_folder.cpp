// SPDX-License-Identifier: MIT
#include "grader/submission/temporary_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <stdlib.h>
#include <system_error>

#include "grader/system/error.hpp"
#include "grader/system/remove_folder.hpp"

namespace grader {

namespace {

// What is there now, of all threads.
struct Registry {
  std::mutex mutex;
  std::set<std::filesystem::path> paths;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent,
                                 const std::string& prefix) {
  std::string name = (parent / (prefix + "-XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(Blame::environment,
                "cannot make a folder in " + parent.string() +
                    errno_text(errno) +
                    ". Set TMPDIR to one that is writable.");
  }
  path_ = name;
  remember_temporary(path_);
}

TemporaryFolder::~TemporaryFolder() {
  remove_folder(path_);
  forget_temporary(path_);
}

void remember_temporary(const std::filesystem::path& path) {
  const std::scoped_lock lock(registry().mutex);
  registry().paths.insert(path);
}

void forget_temporary(const std::filesystem::path& path) {
  const std::scoped_lock lock(registry().mutex);
  registry().paths.erase(path);
}

void remove_temporaries() {
  const std::scoped_lock lock(registry().mutex);
  std::ranges::for_each(registry().paths, remove_folder);
}

std::filesystem::path temporary_root() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

}  // namespace grader
