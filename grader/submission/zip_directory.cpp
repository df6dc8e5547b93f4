// SPDX-License-Identifier: MIT
// APPNOTE.TXT of PKWARE, 4.3.7 (the header of a file), 4.3.12 (an entry of the
// list), 4.3.15 and 4.3.16 (its end), 4.6.9 (a name in Unicode).
#include "grader/submission/zip_directory.hpp"

#include <algorithm>

#include "grader/submission/entry.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

constexpr std::string_view entry_mark = "PK\1\2";
constexpr std::string_view end_mark = "PK\5\6";
constexpr std::string_view local_mark = "PK\3\4";
constexpr std::string_view large_end_mark = "PK\6\7";
constexpr std::size_t entry_size = 46;  // bytes before the name
constexpr std::size_t local_size = 30;  // likewise
constexpr std::size_t end_size = 22;    // bytes before the comment
constexpr std::size_t large_end_size = 20;

// Where it stands, the number is elsewhere (zip64). No archive that is small
// enough to be read needs that.
constexpr std::size_t in_64_bits = 0xFFFFFFFF;
constexpr const char* for_large_archives =
    "packed as only archives over 4 GiB must be (zip64). Make a plain .zip "
    "anew";

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

Problem damaged_list() {
  return {ProblemKind::rejected,
          "the zip archive's list of its files is damaged. Make the archive "
          "anew"};
}

// All fields that give the name once more, in UTF-8.
std::string unicode_paths(std::string_view extra) {
  std::string paths;
  while (extra.size() >= 4) {
    const std::size_t length = number(extra, 2, 2);
    if (number(extra, 0, 2) == 0x7075) {
      paths += extra.substr(4, length);
    }
    extra.remove_prefix(std::min(extra.size(), 4 + length));
  }
  return paths;
}

struct Header {
  std::string_view name;
  std::string_view extra;
};

// The one before the data.
std::optional<Header> local_header(std::string_view archive, std::size_t at) {
  if (at > archive.size() || archive.size() - at < local_size ||
      !archive.substr(at).starts_with(local_mark)) {
    return std::nullopt;
  }
  const std::size_t name_size = number(archive, at + 26, 2);
  const std::size_t extra_size = number(archive, at + 28, 2);
  const std::string_view rest = archive.substr(at + local_size);
  if (rest.size() < name_size + extra_size) {
    return std::nullopt;
  }
  return Header{rest.substr(0, name_size), rest.substr(name_size, extra_size)};
}

// libarchive takes the name that is before the data; whoever looks into the
// archive is shown the one in the list.
std::optional<Problem> compare_names(const Header& listed,
                                     const std::optional<Header>& local) {
  const std::string_view shown =
      listed.name.empty() ? "a file without a name" : listed.name;
  if (!local) {
    return rejected_entry(shown,
                          "the archive's list leads to no file. Make the "
                          "archive anew");
  }
  if (auto problem = check_length(local->name)) {
    return problem;
  }
  if (local->name != listed.name) {
    return rejected_entry(
        shown, "the archive's list calls it so, its own header " +
                   one_line(local->name) + ". Make the archive anew");
  }
  const std::string other = unicode_paths(local->extra);
  if (!other.empty() && other != unicode_paths(listed.extra)) {
    return rejected_entry(shown,
                          "its own header has another name in Unicode. Make "
                          "the archive anew");
  }
  return std::nullopt;
}

// `list`: where it is. `said`: where the archive says that it is; all places
// of files are off by as much (a program in front that unpacks it).
std::optional<Problem> check_entries(std::string_view archive, std::size_t list,
                                     std::size_t size, std::size_t said) {
  std::string_view entries = archive.substr(list, size);
  while (entries.starts_with(entry_mark)) {
    if (entries.size() < entry_size) {
      return damaged_list();
    }
    const std::size_t name_size = number(entries, 28, 2);
    const std::size_t extra_size = number(entries, 30, 2);
    const std::size_t length =
        entry_size + name_size + extra_size + number(entries, 32, 2);
    if (entries.size() < length) {
      return damaged_list();
    }
    const Header listed{entries.substr(entry_size, name_size),
                        entries.substr(entry_size + name_size, extra_size)};
    if (listed.name.find('\0') != std::string_view::npos) {
      return rejected_entry(listed.name,
                            "a NUL in the name. Make the archive anew");
    }
    const std::size_t place = number(entries, 42, 4);
    if (place == in_64_bits) {
      return rejected_entry(listed.name, for_large_archives);
    }
    if (auto problem = compare_names(
            listed, local_header(archive, place + (list - said)))) {
      return problem;
    }
    entries.remove_prefix(length);
  }
  return entries.empty() ? std::nullopt : std::optional(damaged_list());
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
  const std::size_t size = number(archive, end + 12, 4);
  const std::size_t said = number(archive, end + 16, 4);
  const bool has_large_end =
      end >= large_end_size &&
      archive.substr(end - large_end_size).starts_with(large_end_mark);
  if (has_large_end || size == in_64_bits || said == in_64_bits) {
    return Problem{ProblemKind::rejected,
                   "the zip archive is " + std::string(for_large_archives)};
  }
  return size > end ? damaged_list()
                    : check_entries(archive, end - size, size, said);
}

}  // namespace grader
