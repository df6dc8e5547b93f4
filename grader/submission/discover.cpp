// SPDX-License-Identifier: MIT
#include "grader/submission/discover.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "grader/submission/clutter.hpp"
#include "grader/submission/entry.hpp"
#include "grader/submission/forms.hpp"
#include "grader/submission/limits.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

// st_mode of what the name itself stands for; 0 where that cannot be told.
mode_t mode_of(const fs::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 ? status.st_mode : 0;
}

std::optional<Problem> problem_of(Form form, mode_t mode) {
  if (const auto what = why_no_file(mode)) {
    return Problem{ProblemKind::rejected, *what};
  }
  if (form == Form::other) {
    return Problem{ProblemKind::unsupported,
                   "no known form of submission. This version grades " +
                       std::string(supported_forms) + "."};
  }
  return std::nullopt;
}

Submission make_file(const fs::path& path, const fs::path& typed,
                     std::string file) {
  Submission submission;
  submission.path = path;
  submission.typed = typed;
  submission.form = form_of(file);
  submission.file = std::move(file);
  submission.problem = problem_of(submission.form, mode_of(path));
  return submission;
}

Submission make_folder(const fs::path& path, const fs::path& typed,
                       std::string file) {
  Submission submission;
  submission.path = path;
  submission.typed = typed;
  submission.file = std::move(file);
  submission.form = Form::folder;
  return submission;
}

bool is_worth_entering(const fs::path& folder) {
  return !is_clutter(folder.filename().string()) &&
         mode_of(folder / environment_mark) == 0;
}

// Whatever has the name of a candidate counts, a link too, and so does what
// cannot be read or takes too long to look through: better a submission that is
// rejected than one that nobody hears of. `left`: entries to look at.
bool holds_candidate(const fs::path& folder, std::size_t depth,
                     std::size_t& left) {
  std::vector<fs::path> folders;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (left == 0) {
      return true;
    }
    --left;
    if (S_ISDIR(mode_of(entry->path()))) {
      folders.push_back(entry->path());
    } else if (is_candidate(name) && !is_clutter(name)) {
      return true;
    }
  }
  if (error) {
    return true;
  }
  return depth > 0 && std::ranges::any_of(folders, [&](const fs::path& below) {
           return is_worth_entering(below) &&
                  holds_candidate(below, depth - 1, left);
         });
}

bool is_submission(const fs::path& folder) {
  const ReadLimits limits;
  std::size_t left = limits.entries;
  return holds_candidate(folder, limits.depth, left);
}

// The name of the one archive that is in the folder, clutter aside, and
// nothing else: course platforms hand out a folder a candidate.
std::optional<std::string> only_archive(const fs::path& folder) {
  std::optional<std::string> only;
  std::size_t left = ReadLimits{}.entries;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (left-- == 0) {
      return std::nullopt;
    }
    if (is_clutter(name)) {
      continue;
    }
    if (only || form_of(name) != Form::archive ||
        S_ISDIR(mode_of(entry->path()))) {
      return std::nullopt;
    }
    only = std::move(name);
  }
  return error ? std::nullopt : only;
}

class Collector {
 public:
  explicit Collector(const DiscoverOptions& options) : options_(options) {}

  void add_typed(const fs::path& typed) {
    std::error_code error;
    const fs::path path = fs::canonical(typed, error);
    if (error) {
      throw Error(Blame::usage, "cannot read " + one_line(typed.string()) +
                                    errno_text(error.value()));
    }
    const std::string name = path.filename().string();
    const bool is_folder = S_ISDIR(mode_of(path));
    if (is_folder && options_.as_one) {
      add(make_folder(path, typed, name.empty() ? path.string() : name));
    } else if (is_folder && form_of(name) == Form::other) {
      add_collection(path, typed, "");
    } else {
      // A typed x.py that is a folder is a mistake, no collection.
      add(make_file(path, typed,
                    typed.has_filename() ? typed.filename().string() : name));
    }
  }

  Discovery finish() {
    std::map<std::string, int> uses;
    for (const Submission& submission : discovery_.submissions) {
      ++uses[submission.file];
    }
    for (Submission& submission : discovery_.submissions) {
      if (uses[submission.file] > 1) {
        submission.file = submission.typed.string();
      }
    }
    return std::move(discovery_);
  }

 private:
  // `below`: path from the typed folder to this one, "" or "sub/".
  void add_collection(const fs::path& folder, const fs::path& typed,
                      const std::string& below) {
    std::vector<fs::path> paths;
    const std::error_code error = list(folder, paths);
    if (error && below.empty()) {
      throw Error(Blame::usage, "cannot list the folder " +
                                    one_line(typed.string()) +
                                    errno_text(error.value()));
    }
    if (error) {  // reading it will say so
      add(make_folder(folder, typed, below.substr(0, below.size() - 1)));
      return;
    }
    for (const fs::path& path : paths) {
      const std::string name = path.filename().string();
      const bool is_folder = S_ISDIR(mode_of(path)) && is_worth_entering(path);
      if (form_of(name) != Form::other && !name.starts_with('.')) {
        add(make_file(path, typed / name, below + name));
      } else if (is_folder && options_.recursive) {
        add_collection(path, typed / name, below + name + "/");
      } else if (!is_folder ||
                 !add_subfolder(path, typed / name, below + name)) {
        discovery_.passed_over.push_back(below + name);
      }
    }
  }

  bool add_subfolder(const fs::path& folder, const fs::path& typed,
                     const std::string& file) {
    if (const auto archive = only_archive(folder)) {
      add(make_file(folder / *archive, typed / *archive,
                    file + "/" + *archive));
      return true;
    }
    if (!is_submission(folder)) {
      return false;
    }
    add(make_folder(folder, typed, file));
    return true;
  }

  static std::error_code list(const fs::path& folder,
                              std::vector<fs::path>& paths) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    while (!error && entry != fs::directory_iterator()) {
      paths.push_back(entry->path());
      entry.increment(error);
    }
    // By bytes: the order of std::string, whatever the locale.
    std::ranges::sort(paths, {}, &fs::path::native);
    return error;
  }

  void add(Submission submission) {
    if (seen_.insert(submission.path.native()).second) {
      discovery_.submissions.push_back(std::move(submission));
    }
  }

  DiscoverOptions options_;
  Discovery discovery_;
  std::set<std::string> seen_;
};

}  // namespace

Discovery discover(const std::vector<fs::path>& paths,
                   const DiscoverOptions& options) {
  Collector collector(options);
  for (const fs::path& path : paths) {
    collector.add_typed(path);
  }
  return collector.finish();
}

}  // namespace grader
