// SPDX-License-Identifier: MIT
#include "grader/submission/temporary_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

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

// Closed where somebody else holds it, or it is not this user's folder.
FileDescriptor lock_folder(const std::filesystem::path& path) {
  FileDescriptor folder(
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (folder.is_open() && fstat(folder.get(), &status) == 0 &&
      status.st_uid == geteuid() &&
      flock(folder.get(), LOCK_EX | LOCK_NB) == 0) {
    return folder;
  }
  return {};
}

bool is_old(const FileDescriptor& folder) {
  constexpr time_t seconds = 60;
  struct stat status {};
  return fstat(folder.get(), &status) == 0 &&
         time(nullptr) - status.st_mtime > seconds;
}

}  // namespace

void remove_abandoned(const std::filesystem::path& parent,
                      const std::string& prefix) {
  const std::size_t length = prefix.size() + std::strlen("-XXXXXX");
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() == length && name.starts_with(prefix + "-")) {
      const FileDescriptor lock = lock_folder(entry.path());
      if (lock.is_open() && is_old(lock)) {
        remove_folder(entry.path());
      }
    }
  }
}

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
  lock_ = lock_folder(path_);
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
