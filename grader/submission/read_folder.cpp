// SPDX-License-Identifier: MIT
#include "grader/submission/read_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <utility>

#include "grader/submission/clutter.hpp"
#include "grader/submission/entry.hpp"
#include "grader/submission/file_bytes.hpp"
#include "grader/submission/gathering.hpp"
#include "grader/system/error.hpp"
#include "grader/system/file_descriptor.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// Never follows a link and never waits for the other end of a pipe.
constexpr int careful = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

using Names = std::vector<std::string>;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

Problem unreadable(std::string_view name, int error_number) {
  return {ProblemKind::unreadable,
          "cannot read " + (name.empty() ? "the folder" : one_line(name)) +
              errno_text(error_number)};
}

bool holds_environment(const FileDescriptor& folder) {
  const std::string mark(environment_mark);
  struct stat status {};
  return fstatat(folder.get(), mark.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

// One folder at a time, each opened by its name in the open one above it.
class FolderReader {
 public:
  explicit FolderReader(const ReadLimits& limits) : gathering_(limits) {}

  // `below`: "" or "sub/".
  std::optional<Problem> read(const FileDescriptor& folder,
                              const std::string& below) {
    const auto listed = list(folder, below);
    if (const auto* problem = std::get_if<Problem>(&listed)) {
      return *problem;
    }
    for (const std::string& name : std::get<Names>(listed)) {
      if (auto problem = take(folder, name, below + name)) {
        return problem;
      }
    }
    return std::nullopt;
  }

  FilesOrProblem finish() { return gathering_.finish(); }

 private:
  std::variant<Names, Problem> list(const FileDescriptor& folder,
                                    const std::string& below) {
    // A descriptor of its own, which closedir closes.
    FileDescriptor own(openat(folder.get(), ".", careful | O_DIRECTORY));
    const std::unique_ptr<DIR, CloseDirectory> directory(
        own.is_open() ? fdopendir(own.get()) : nullptr);
    if (!directory) {
      return unreadable(below, errno);
    }
    own.release();
    Names names;
    errno = 0;
    while (const dirent* entry = readdir(directory.get())) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") {
        continue;
      }
      if (auto problem = gathering_.look_at(below + name)) {
        return *problem;
      }
      names.push_back(name);
      errno = 0;
    }
    if (errno != 0) {
      return unreadable(below, errno);
    }
    std::ranges::sort(names);
    return names;
  }

  std::optional<Problem> take(const FileDescriptor& folder,
                              const std::string& name,
                              const std::string& relative) {
    if (is_clutter(name)) {
      gathering_.ignore(relative);
      return std::nullopt;
    }
    if (auto problem = check_name(relative)) {
      return problem;
    }
    // Not opened before it is known what it is: opening a device may do things.
    struct stat status {};
    if (fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW)) {
      return unreadable(relative, errno);
    }
    if (S_ISDIR(status.st_mode)) {
      return take_folder(folder, name, relative);
    }
    if (auto what = why_no_file(status.st_mode)) {
      return rejected_entry(relative, *what);
    }
    return take_file(folder, name, relative);
  }

  std::optional<Problem> take_folder(const FileDescriptor& above,
                                     const std::string& name,
                                     const std::string& relative) {
    const std::string below = relative + "/";
    if (auto problem = gathering_.check_depth(below)) {
      return problem;
    }
    const FileDescriptor folder(
        openat(above.get(), name.c_str(), careful | O_DIRECTORY));
    if (!folder.is_open()) {
      return unreadable(relative, errno);
    }
    if (holds_environment(folder)) {
      gathering_.ignore(relative);
      return std::nullopt;
    }
    return read(folder, below);
  }

  std::optional<Problem> take_file(const FileDescriptor& folder,
                                   const std::string& name,
                                   const std::string& relative) {
    const FileDescriptor file(openat(folder.get(), name.c_str(), careful));
    struct stat status {};
    if (!file.is_open() || fstat(file.get(), &status) != 0) {
      return unreadable(relative, errno);
    }
    if (auto what = why_no_file(status.st_mode)) {
      return rejected_entry(relative, *what);
    }
    const auto size = std::min(static_cast<std::uint64_t>(status.st_size),
                               gathering_.most_bytes(relative));
    SourceFile copy{relative, ""};
    if (const int error = read_bytes(file.get(), size, copy.bytes)) {
      return unreadable(relative, error);
    }
    if (copy.bytes.size() > static_cast<std::uint64_t>(status.st_size)) {
      return rejected_entry(
          relative, "the file grew while it was read. Hand it in again");
    }
    return gathering_.add(std::move(copy));
  }

  Gathering gathering_;
};

}  // namespace

FilesOrProblem read_folder(const std::filesystem::path& folder,
                           const ReadLimits& limits) {
  const FileDescriptor opened(open(folder.c_str(), careful | O_DIRECTORY));
  if (!opened.is_open()) {
    return unreadable("", errno);
  }
  FolderReader reader(limits);
  if (auto problem = reader.read(opened, "")) {
    return *problem;
  }
  return reader.finish();
}

}  // namespace grader
