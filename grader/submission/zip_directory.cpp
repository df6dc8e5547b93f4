// SPDX-License-Identifier: MIT
// APPNOTE.TXT of PKWARE, 4.3.12 (an entry of the list) and 4.3.16 (its end).
#include "grader/submission/zip_directory.hpp"

#include <algorithm>
#include <cstdint>

#include "grader/submission/entry.hpp"

namespace grader {
namespace {

constexpr std::string_view entry_mark = "PK\1\2";
constexpr std::string_view end_mark = "PK\5\6";
constexpr std::size_t entry_size = 46;  // bytes before the name
constexpr std::size_t end_size = 22;    // bytes before the comment

std::size_t number(std::string_view bytes, std::size_t offset,
                   std::size_t length) {
  std::size_t value = 0;
  for (std::size_t i = length; i > 0; --i) {
    value = (value << 8U) | static_cast<unsigned char>(bytes[offset + i - 1]);
  }
  return value;
}

// Every place that libarchive could take for an entry, wherever it begins.
std::size_t count_entries(std::string_view archive) {
  std::size_t count = 0;
  for (std::size_t at = archive.find(entry_mark); at != std::string_view::npos;
       at = archive.find(entry_mark, at + entry_mark.size())) {
    ++count;
  }
  return count;
}

std::optional<Problem> check_names(std::string_view entries) {
  while (entries.size() >= entry_size && entries.starts_with(entry_mark)) {
    const std::size_t name_length = number(entries, 28, 2);
    const std::size_t rest = number(entries, 30, 2) + number(entries, 32, 2);
    const std::string_view name = entries.substr(entry_size, name_length);
    if (name.find('\0') != std::string_view::npos) {
      return rejected_entry(name, "a NUL in the name. Make the archive anew");
    }
    entries.remove_prefix(
        std::min(entries.size(), entry_size + name_length + rest));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> check_zip_directory(std::string_view archive,
                                           std::size_t most_entries) {
  const std::size_t end = archive.rfind(end_mark);
  if (end == std::string_view::npos || archive.size() - end < end_size) {
    return Problem{ProblemKind::rejected,
                   "the zip archive has no list of its files at its end: it "
                   "was cut off. Hand it in again"};
  }
  if (end == 0) {  // libarchive does not know such an archive
    return Problem{ProblemKind::empty, "holds no file"};
  }
  if (count_entries(archive) > most_entries) {
    return Problem{ProblemKind::rejected,
                   "the archive holds more than " +
                       std::to_string(most_entries) +
                       " files and folders. Hand in the code only"};
  }
  const std::size_t list_size = number(archive, end + 12, 4);
  return list_size > end
             ? std::nullopt  // 64-bit sizes; libarchive decides
             : check_names(archive.substr(end - list_size, list_size));
}

}  // namespace grader
