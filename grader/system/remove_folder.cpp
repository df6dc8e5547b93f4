// SPDX-License-Identifier: MIT
#include "grader/system/remove_folder.hpp"

#include <system_error>

namespace grader {
namespace {

// Without them nothing below it can be removed.
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

}  // namespace

void remove_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::remove_all(folder, failure);
  if (failure) {
    restore_permissions(folder);
    std::filesystem::remove_all(folder, failure);
  }
}

}  // namespace grader
