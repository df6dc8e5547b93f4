// SPDX-License-Identifier: MIT
#include "grader/submission/entry.hpp"

#include <algorithm>
#include <cctype>
#include <sys/stat.h>
#include <utility>

#include "grader/system/text.hpp"

namespace grader {
namespace {

constexpr std::size_t longest_part = 255;   // bytes: NAME_MAX of Linux
constexpr std::size_t longest_name = 1024;  // bytes: more than anybody needs

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

bool has_drive(std::string_view name) {
  return name.size() >= 2 && name[1] == ':' &&
         std::isalpha(static_cast<unsigned char>(name[0])) != 0;
}

}  // namespace

Problem rejected_entry(std::string_view name, const std::string& what) {
  return {ProblemKind::rejected, one_line(name) + ": " + what};
}

std::optional<std::string> why_no_file(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return std::nullopt;
    case S_IFDIR:
      return "a directory, not a file";
    case S_IFLNK:
      return "a symbolic link, not a file: hand in the file itself";
    case S_IFIFO:
      return "a named pipe, not a file: leave it out";
    case S_IFSOCK:
      return "a socket, not a file: leave it out";
    case S_IFBLK:
    case S_IFCHR:
      return "a device, not a file: leave it out";
    default:
      return "not an ordinary file: leave it out";
  }
}

std::optional<Problem> check_name(std::string_view name) {
  if (std::ranges::any_of(name, is_control)) {
    return rejected_entry(
        name, "a control character in the name: rename it and hand in again");
  }
  std::size_t start = 0;
  while (start < name.size()) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    if (end - start > longest_part) {
      return rejected_entry(name, "a name of " + std::to_string(end - start) +
                                      " bytes, the limit is " +
                                      std::to_string(longest_part) +
                                      ": rename it and hand in again");
    }
    start = end + 1;
  }
  return std::nullopt;
}

std::optional<Problem> check_length(std::string_view stored) {
  if (stored.size() <= longest_name) {
    return std::nullopt;
  }
  return rejected_entry(stored, "a name of more than " +
                                    std::to_string(longest_name) +
                                    " bytes: rename it and hand in again");
}

std::variant<std::string, Problem> plain_name(std::string_view stored) {
  if (auto problem = check_length(stored)) {
    return std::move(*problem);
  }
  std::string slashed(stored);
  std::ranges::replace(slashed, '\\', '/');
  if (slashed.starts_with('/') || has_drive(slashed)) {
    return rejected_entry(stored,
                          "an absolute name. Make the archive anew, inside of "
                          "the folder that you hand in");
  }
  std::string plain;
  std::size_t start = 0;
  while (start < slashed.size()) {
    const std::size_t end = std::min(slashed.find('/', start), slashed.size());
    const std::string part = slashed.substr(start, end - start);
    if (part == "..") {
      return rejected_entry(stored,
                            "\"..\" leads out of the folder. Make the archive "
                            "anew, inside of the folder that you hand in");
    }
    if (!part.empty() && part != ".") {
      plain.append(plain.empty() ? 0 : 1, '/').append(part);
    }
    start = end + 1;
  }
  return plain;
}

}  // namespace grader
