// SPDX-License-Identifier: MIT
#include "grader/loader/shorten.hpp"

#include <utility>

namespace grader {

std::string without_folders(std::string text,
                            const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    if (folder.empty()) {
      continue;
    }
    const std::string part = folder.string() + "/";
    for (std::size_t at = text.find(part); at != std::string::npos;
         at = text.find(part, at)) {
      text.erase(at, part.size());
    }
  }
  return text;
}

std::string without_staging(std::string text, const Program& program) {
  return without_folders(
      std::move(text),
      {program.root.empty() ? program.submission.parent_path() : program.root,
       program.working_directory});
}

}  // namespace grader
