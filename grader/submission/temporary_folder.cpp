// SPDX-License-Identifier: MIT
#include "grader/submission/temporary_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <stdlib.h>
#include <system_error>

#include "grader/system/error.hpp"

namespace grader {

namespace {

// A submission may have taken the permissions away from a folder of its own;
// without them nothing below it can be removed.
void restore_permissions(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all,
                               ignored);
  const auto options =
      std::filesystem::directory_options::skip_permission_denied;
  std::filesystem::recursive_directory_iterator entry(folder, options, ignored);
  const std::filesystem::recursive_directory_iterator end;
  while (!ignored && entry != end) {
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      std::filesystem::permissions(entry->path(),
                                   std::filesystem::perms::owner_all, ignored);
    }
    entry.increment(ignored);
  }
}

void remove_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::remove_all(folder, failure);
  if (failure) {
    restore_permissions(folder);
    std::filesystem::remove_all(folder, failure);
  }
}

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
