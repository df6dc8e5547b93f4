// SPDX-License-Identifier: MIT
#include "grader/submission/archive_selection.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <utility>

#include "grader/submission/clutter.hpp"
#include "grader/submission/entry.hpp"
#include "grader/submission/forms.hpp"

namespace grader {
namespace {

using Names = std::vector<std::string>;
using Folders = std::set<std::string, std::less<>>;

bool is_folder(const ArchiveEntry& entry) {
  return S_ISDIR(entry.mode);
}

std::variant<Names, Problem> plain_names(
    const std::vector<ArchiveEntry>& entries) {
  Names names;
  names.reserve(entries.size());
  for (const ArchiveEntry& entry : entries) {
    if (!entry.name) {
      return rejected_entry("entry " + std::to_string(names.size() + 1),
                            "its name cannot be made out. Rename it and make "
                            "the archive anew");
    }
    auto name = plain_name(*entry.name);
    if (auto* problem = std::get_if<Problem>(&name)) {
      return std::move(*problem);
    }
    names.push_back(std::get<std::string>(std::move(name)));
  }
  return names;
}

std::string_view first_part(std::string_view name) {
  return name.substr(0, name.find('/'));
}

// What the system packs beside the folder that was meant.
bool is_beside(std::string_view name) {
  return name.starts_with('.') || first_part(name) == "__MACOSX";
}

// "ana/", if all is in that folder; else "".
std::string common_top(const std::vector<ArchiveEntry>& entries,
                       const Names& names) {
  std::string_view top;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || is_beside(names[i])) {
      continue;
    }
    const std::string_view first = first_part(names[i]);
    const bool is_file_on_top = first == names[i] && !is_folder(entries[i]);
    if (is_file_on_top || (!top.empty() && top != first)) {
      return "";
    }
    top = first;
  }
  return top.empty() ? "" : std::string(top) + "/";
}

Folders environments(const Names& names) {
  const std::string ending = "/" + std::string(environment_mark);
  Folders folders;
  for (const std::string& name : names) {
    if (name.ends_with(ending)) {
      folders.insert(name.substr(0, name.size() - ending.size()));
    }
  }
  return folders;
}

// Calls `visit` with each folder above `name`, outermost first.
template <typename Visit>
void each_folder_above(std::string_view name, Visit visit) {
  for (std::size_t end = name.find('/'); end != std::string_view::npos;
       end = name.find('/', end + 1)) {
    visit(name.substr(0, end));
  }
}

bool is_in_one_of(const Folders& folders, std::string_view name) {
  bool found = folders.contains(name);
  each_folder_above(name, [&](std::string_view folder) {
    found = found || folders.contains(folder);
  });
  return found;
}

std::optional<Problem> check_entry(const ArchiveEntry& entry,
                                   const std::string& name) {
  if (entry.is_hard_link) {
    return rejected_entry(
        name,
        "a hard link, not a file: hand in the file itself (tar "
        "--hard-dereference)");
  }
  if (is_folder(entry)) {
    return std::nullopt;
  }
  if (auto what = why_no_file(entry.mode)) {
    return rejected_entry(name, *what);
  }
  if (is_archive(name)) {
    return rejected_entry(
        name, "an archive in the archive: hand in its files themselves");
  }
  if (!entry.odd_method.empty()) {
    return rejected_entry(name, "packed in an unusual way (" +
                                    entry.odd_method +
                                    "). Make a plain .zip anew");
  }
  return std::nullopt;
}

class Selection {
 public:
  Selection(const std::vector<ArchiveEntry>& entries, Gathering& gathering)
      : entries_(entries), gathering_(gathering) {}

  std::optional<Problem> choose(const Names& names) {
    const Folders outside = environments(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (is_clutter(names[i]) || is_in_one_of(outside, names[i])) {
        gathering_.ignore(names[i]);
      } else if (auto problem = take(i, names[i])) {
        return problem;
      }
    }
    return check_overlap();
  }

  std::vector<ChosenEntry> finish() { return std::move(chosen_); }

 private:
  std::optional<Problem> take(std::size_t index, const std::string& name) {
    if (name.empty()) {
      return std::nullopt;  // the submission's own folder
    }
    if (auto problem = check_name(name)) {
      return problem;
    }
    if (auto problem = check_entry(entries_[index], name)) {
      return problem;
    }
    if (auto problem = gathering_.check_depth(name)) {
      return problem;
    }
    each_folder_above(
        name, [&](std::string_view folder) { folders_.emplace(folder); });
    if (is_folder(entries_[index])) {
      folders_.insert(name);
      return std::nullopt;
    }
    if (!files_.insert(name).second) {
      return rejected_entry(name,
                            "it is in the archive twice. Make the archive "
                            "anew");
    }
    chosen_.push_back({index, name});
    return std::nullopt;
  }

  std::optional<Problem> check_overlap() const {
    for (const std::string& name : files_) {
      if (folders_.contains(name)) {
        return rejected_entry(name,
                              "a file and a folder of one name. Make the "
                              "archive anew");
      }
    }
    return std::nullopt;
  }

  const std::vector<ArchiveEntry>& entries_;
  Gathering& gathering_;
  std::vector<ChosenEntry> chosen_;
  Folders folders_;
  Folders files_;
};

}  // namespace

std::variant<std::vector<ChosenEntry>, Problem> choose_entries(
    const std::vector<ArchiveEntry>& entries, Gathering& gathering) {
  auto plain = plain_names(entries);
  if (auto* problem = std::get_if<Problem>(&plain)) {
    return std::move(*problem);
  }
  auto& names = std::get<Names>(plain);
  const std::string top = common_top(entries, names);
  for (std::string& name : names) {
    if (name.starts_with(top)) {
      name.erase(0, top.size());
    } else if (name + "/" == top) {
      name.clear();
    }
  }
  Selection selection(entries, gathering);
  if (auto problem = selection.choose(names)) {
    return std::move(*problem);
  }
  return selection.finish();
}

}  // namespace grader
