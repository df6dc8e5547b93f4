// SPDX-License-Identifier: MIT
#include "grader/submission/discover.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

struct KnownEnding {
  std::string_view ending;  // lower case
  Form form;
  std::string_view name;
};

constexpr std::array known_endings = {
    KnownEnding{".py", Form::python, "a Python file"},
    KnownEnding{".c", Form::c, "a C file"},
    KnownEnding{".cpp", Form::cpp, "a C++ file"},
    KnownEnding{".cc", Form::cpp, "a C++ file"},
    KnownEnding{".cxx", Form::cpp, "a C++ file"},
    KnownEnding{".so", Form::library, "a shared library"},
    KnownEnding{".ipynb", Form::notebook, "a notebook"},
    KnownEnding{".zip", Form::archive, "an archive"},
    KnownEnding{".tar", Form::archive, "an archive"},
    KnownEnding{".tar.gz", Form::archive, "an archive"},
    KnownEnding{".tgz", Form::archive, "an archive"},
};

const KnownEnding* find_ending(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  const auto* found = std::ranges::find_if(
      known_endings,
      [&](const KnownEnding& known) { return name.ends_with(known.ending); });
  return found == known_endings.end() ? nullptr : found;
}

bool is_supported(Form form) {
  return form == Form::python || form == Form::notebook || form == Form::c ||
         form == Form::cpp || form == Form::library;
}

std::optional<Problem> unsupported_form(const KnownEnding* known) {
  if (known != nullptr && is_supported(known->form)) {
    return std::nullopt;
  }
  const std::string what = known == nullptr
                               ? "no known form of submission"
                               : std::string(known->name) + " (" +
                                     std::string(known->ending) +
                                     "): this form is not supported yet";
  return Problem{
      ProblemKind::unsupported,
      what + ". This version grades .py, .ipynb, .c, .cpp and .so files."};
}

// What keeps the file from being opened at all, told without opening it.
std::optional<Problem> wrong_kind_of_file(fs::file_type type) {
  const auto rejected = [](const std::string& what) {
    return Problem{ProblemKind::rejected, what};
  };
  switch (type) {
    case fs::file_type::regular:
      return std::nullopt;
    case fs::file_type::directory:
      return rejected("a directory, not a file");
    case fs::file_type::symlink:
      return rejected("a symbolic link, not a file: hand in the file itself");
    case fs::file_type::fifo:
      return rejected("a named pipe, not a file");
    case fs::file_type::socket:
      return rejected("a socket, not a file");
    case fs::file_type::block:
    case fs::file_type::character:
      return rejected("a device, not a file");
    case fs::file_type::none:
    case fs::file_type::not_found:
    case fs::file_type::unknown:
      return rejected("not an ordinary file");
  }
  return rejected("not an ordinary file");
}

Submission make_submission(const fs::path& path, const fs::path& typed,
                           std::string file, fs::file_type type) {
  const KnownEnding* known = find_ending(file);
  Submission submission;
  submission.path = path;
  submission.typed = typed;
  submission.file = std::move(file);
  submission.form = known == nullptr ? Form::other : known->form;
  submission.problem = wrong_kind_of_file(type);
  if (!submission.problem) {
    submission.problem = unsupported_form(known);
  }
  return submission;
}

// Caches, hidden folders and virtual environments hold no candidates.
bool is_worth_entering(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::error_code ignored;
  return !name.starts_with('.') && name != "__pycache__" &&
         name != "node_modules" && !fs::exists(folder / "pyvenv.cfg", ignored);
}

class Collector {
 public:
  explicit Collector(bool recursive) : recursive_(recursive) {}

  void add_typed(const fs::path& typed) {
    std::error_code error;
    const fs::path path = fs::canonical(typed, error);
    if (error) {
      throw Error(Blame::usage, "cannot read " + one_line(typed.string()) +
                                    errno_text(error.value()));
    }
    const fs::file_type type = fs::status(path, error).type();
    const std::string name = path.filename().string();
    // A typed x.py that is a folder is a mistake, no collection.
    if (type == fs::file_type::directory && find_ending(name) == nullptr) {
      add_folder(path, typed, "");
      return;
    }
    add(make_submission(path, typed,
                        typed.has_filename() ? typed.filename().string() : name,
                        type));
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
  void add_folder(const fs::path& folder, const fs::path& typed,
                  const std::string& below) {
    for (const fs::path& path : list(folder, typed)) {
      std::error_code ignored;
      const std::string name = path.filename().string();
      const fs::file_type type = fs::symlink_status(path, ignored).type();
      const bool is_meant = !name.starts_with('.') && find_ending(name);
      if (is_meant) {
        add(make_submission(path, typed / name, below + name, type));
      } else if (type == fs::file_type::directory && recursive_ &&
                 is_worth_entering(path)) {
        add_folder(path, typed / name, below + name + "/");
      } else {
        discovery_.passed_over.push_back(below + name);
      }
    }
  }

  static std::vector<fs::path> list(const fs::path& folder,
                                    const fs::path& typed) {
    std::vector<fs::path> paths;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    while (!error && entry != fs::directory_iterator()) {
      paths.push_back(entry->path());
      entry.increment(error);
    }
    if (error) {
      throw Error(Blame::usage, "cannot list the folder " +
                                    one_line(typed.string()) +
                                    errno_text(error.value()));
    }
    // By bytes: the order of std::string, whatever the locale.
    std::ranges::sort(paths, {}, &fs::path::native);
    return paths;
  }

  void add(Submission submission) {
    if (seen_.insert(submission.path.native()).second) {
      discovery_.submissions.push_back(std::move(submission));
    }
  }

  bool recursive_;
  Discovery discovery_;
  std::set<std::string> seen_;
};

}  // namespace

std::string to_string(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::unsupported:
      return "unsupported";
    case ProblemKind::rejected:
      return "rejected";
    case ProblemKind::unreadable:
      return "unreadable";
    case ProblemKind::empty:
      return "empty";
  }
  return "";
}

Discovery discover(const std::vector<fs::path>& paths, bool recursive) {
  Collector collector(recursive);
  for (const fs::path& path : paths) {
    collector.add_typed(path);
  }
  return collector.finish();
}

}  // namespace grader
