// SPDX-License-Identifier: MIT
#include "grader/submission/unpack.hpp"

#include <utility>

#include "grader/submission/archive_reader.hpp"
#include "grader/submission/archive_selection.hpp"
#include "grader/submission/entry.hpp"
#include "grader/submission/gathering.hpp"
#include "grader/submission/zip_directory.hpp"

namespace grader {
namespace {

using Entries = std::vector<ArchiveEntry>;

// The first of two passes: which files count can hang on what comes last.
std::variant<Entries, Problem> list(std::string_view archive,
                                    const ReadLimits& limits,
                                    Gathering& gathering) {
  Entries entries;
  ArchiveReader reader(archive, limits.unpacked);
  while (auto entry = reader.next()) {
    if (entry->is_encrypted) {
      return Problem{ProblemKind::rejected,
                     "the archive is encrypted: hand in one without a "
                     "password"};
    }
    const std::string_view name =
        entry->name ? std::string_view(*entry->name) : "";
    if (auto problem = gathering.look_at(name.empty() ? "the archive" : name)) {
      return std::move(*problem);
    }
    if (auto problem = check_length(name)) {
      return std::move(*problem);
    }
    entries.push_back(std::move(*entry));
  }
  if (reader.problem()) {
    return *reader.problem();
  }
  return entries;
}

// The second pass.
std::optional<Problem> read_chosen(std::string_view archive,
                                   const ReadLimits& limits,
                                   const std::vector<ChosenEntry>& chosen,
                                   Gathering& gathering) {
  ArchiveReader reader(archive, limits.unpacked);
  std::size_t index = 0;
  for (const ChosenEntry& wanted : chosen) {
    while (reader.next() && index++ < wanted.index) {
    }
    std::string bytes =
        reader.problem() ? "" : reader.read(gathering.most_bytes(wanted.name));
    if (reader.problem()) {
      return reader.problem();
    }
    if (auto problem = gathering.add({wanted.name, std::move(bytes)})) {
      return problem;
    }
  }
  return std::nullopt;
}

}  // namespace

FilesOrProblem unpack(std::string_view archive, const ReadLimits& limits) {
  if (archive.starts_with("PK")) {
    if (auto problem = check_zip_directory(archive, limits.entries)) {
      return std::move(*problem);
    }
  }
  Gathering gathering(limits);
  auto listed = list(archive, limits, gathering);
  if (auto* problem = std::get_if<Problem>(&listed)) {
    return std::move(*problem);
  }
  auto chosen = choose_entries(std::get<Entries>(listed), gathering);
  if (auto* problem = std::get_if<Problem>(&chosen)) {
    return std::move(*problem);
  }
  if (auto problem =
          read_chosen(archive, limits,
                      std::get<std::vector<ChosenEntry>>(chosen), gathering)) {
    return std::move(*problem);
  }
  return gathering.finish();
}

}  // namespace grader
