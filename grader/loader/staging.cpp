// SPDX-License-Identifier: MIT
#include "grader/loader/staging.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "grader/loader/program_search.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

// Names were checked when the files were read; a mistake there must not write
// outside.
void write_below(const fs::path& root, const SourceFile& file) {
  const fs::path name(file.name);
  const bool is_inside = !name.empty() && name.is_relative() &&
                         std::ranges::none_of(name, [](const fs::path& part) {
                           return part == ".." || part == "." || part.empty();
                         });
  if (!is_inside) {
    throw std::logic_error("a file name that leaves the submission's folder: " +
                           one_line(file.name));
  }
  std::error_code ignored;
  fs::create_directories((root / name).parent_path(), ignored);
  write_file(root / name, file.bytes);
}

// The candidate's own name, for it is in tracebacks and compiler messages; but
// not one that would have to be escaped on the way.
std::string staged_name(const Submission& submission) {
  std::string name = fs::path(submission.file).filename().string();
  if (!name.empty() && one_line(name) == name) {
    return name;
  }
  return "submission" + fs::path(name).extension().string();
}

using Names = std::vector<std::string>;

constexpr std::string_view substitutes =
    "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

// One substitute for all bytes that are no UTF-8, "_".
std::string with_one_substitute(const std::string& name) {
  return as_utf8(name, substitutes.front());
}

// A substitute for each such byte, the same wherever the byte is.
std::string with_substitutes(const std::string& name, std::size_t shift) {
  std::string result = with_one_substitute(name);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (result[i] != name[i]) {
      const auto byte = static_cast<unsigned char>(name[i]);
      result[i] = substitutes[(byte + shift) % substitutes.size()];
    }
  }
  return result;
}

// Can all of them be in one folder: is none there twice, or a folder too?
bool are_compatible(const Names& names) {
  const std::set<std::string> files(names.begin(), names.end());
  std::set<std::string> folders;
  for (const std::string& name : names) {
    for (std::size_t slash = name.find('/'); slash != std::string::npos;
         slash = name.find('/', slash + 1)) {
      folders.insert(name.substr(0, slash));
    }
  }
  return files.size() == names.size() &&
         std::ranges::none_of(folders, [&](const std::string& folder) {
           return files.contains(folder);
         });
}

template <typename Rename>
std::optional<std::vector<SourceFile>> renamed(
    const std::vector<SourceFile>& files, Rename rename) {
  Names names;
  names.reserve(files.size());
  for (const SourceFile& file : files) {
    names.push_back(rename(file.name));
  }
  if (!are_compatible(names)) {
    return std::nullopt;
  }
  std::vector<SourceFile> result = files;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].name = std::move(names[i]);
  }
  return result;
}

// The way to the host and to the compiler is paved with UTF-8. No import can
// mean a file whose name is none; but names keep their length, for there is a
// limit to it, and files of one folder stay together.
std::variant<std::vector<SourceFile>, LoadFailure> with_utf8_names(
    const std::vector<SourceFile>& files) {
  const auto bad = std::ranges::find_if(files, [](const SourceFile& file) {
    return with_one_substitute(file.name) != file.name;
  });
  if (bad == files.end()) {
    return files;
  }
  auto result = renamed(files, with_one_substitute);
  for (std::size_t shift = 0; !result && shift < substitutes.size(); ++shift) {
    result = renamed(files, [shift](const std::string& name) {
      return with_substitutes(name, shift);
    });
  }
  if (result) {
    return std::move(*result);
  }
  return LoadFailure{"names",
                     "holds names that are no UTF-8 and cannot be told from "
                     "others where they are repaired: " +
                         one_line(bad->name, 100) +
                         " and the like. Rename them"};
}

}  // namespace

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) {
    throw Error(Blame::environment,
                "cannot write " + path.string() + errno_text(errno));
  }
  std::error_code error;
  fs::permissions(path, fs::perms::owner_read, error);
  if (error) {
    throw Error(Blame::environment, "cannot write-protect " + path.string() +
                                        errno_text(error.value()));
  }
}

void make_folder(const fs::path& path) {
  std::error_code error;
  if (!fs::create_directory(path, error)) {
    throw Error(Blame::environment, "cannot make the folder " + path.string() +
                                        errno_text(error.value()));
  }
}

void make_readable(const fs::path& path) {
  using fs::perms;
  constexpr perms readable =
      perms::owner_read | perms::group_read | perms::others_read;
  constexpr perms passable =
      perms::owner_exec | perms::group_exec | perms::others_exec;
  std::error_code error;
  if (!fs::is_directory(path)) {
    fs::permissions(path, readable, fs::perm_options::add, error);
  } else {
    fs::permissions(path, readable | passable, fs::perm_options::add, error);
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
      make_readable(entry.path());
    }
  }
  if (error) {
    throw Error(Blame::environment, "cannot make " + path.string() +
                                        " readable" +
                                        errno_text(error.value()));
  }
}

std::variant<std::vector<SourceFile>, LoadFailure> staged_files(
    const Submission& submission) {
  if (submission.form == Form::folder || submission.form == Form::archive) {
    return with_utf8_names(submission.files);
  }
  return std::vector<SourceFile>{
      {staged_name(submission), submission.files.front().bytes}};
}

Staging stage_nothing(const fs::path& scratch) {
  Staging staging;
  staging.folder = std::make_shared<TemporaryFolder>(scratch, "submission");
  const fs::path& folder = staging.folder->path();
  fs::permissions(folder, fs::perms::others_exec, fs::perm_options::add);
  staging.root = folder / "source";
  staging.library = folder / "library.so";
  staging.work = folder / "work";
  staging.notes = folder / "notes";
  for (const fs::path& path : {staging.root, staging.work, staging.notes}) {
    make_folder(path);
  }
  // A fork server, which is nobody, shows single files of it to its copies.
  fs::permissions(staging.notes, fs::perms::others_exec, fs::perm_options::add);
  return staging;
}

Staging stage(const std::vector<SourceFile>& files, const fs::path& scratch) {
  Staging staging = stage_nothing(scratch);
  for (const SourceFile& file : files) {
    write_below(staging.root, file);
  }
  make_readable(staging.root);
  return staging;
}

void let_pass(const Isolation& isolation, const fs::path& scratch) {
  if (isolation.level != IsolationLevel::level0 && geteuid() == 0) {
    fs::permissions(scratch, fs::perms::others_exec, fs::perm_options::add);
  }
}

std::vector<std::string> child_environment(const fs::path& home,
                                           const std::string& search_path) {
  std::vector<std::string> variables = {
      "PATH=" + search_path, "HOME=" + home.string(), "TMPDIR=" + home.string(),
      "LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1", "PYTHONSAFEPATH=1",
      "PYTHONHASHSEED=0", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
      "MKL_NUM_THREADS=1", "JAX_DISABLE_MOST_OPTIMIZATIONS=1", "MPLBACKEND=Agg",
      "JAX_PLATFORMS=cpu",
      // Or each thread reserves 128 MiB of the address space, which is limited.
      "MALLOC_ARENA_MAX=2",
      // Bytes: or memory that each call takes and frees is new to it each time.
      "MALLOC_MMAP_THRESHOLD_=16777216", "MALLOC_TRIM_THRESHOLD_=67108864",
      // torch.compile would start a compiler: the plain function is the same.
      "TORCHDYNAMO_DISABLE=1"};
  // Settings that repair a broken OpenBLAS kernel on some machines.
  for (const char* name : {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"}) {
    const std::string value = environment_variable(name);
    if (!value.empty()) {
      variables.push_back(std::string(name) + "=" + value);
    }
  }
  return variables;
}

Program make_program(const Staging& staging, Language language,
                     const Isolation& isolation) {
  Program program;
  program.language = language;
  program.isolation = isolation;
  program.confinement.shown = {staging.root};
  program.environment = child_environment(staging.work, "/usr/bin:/bin");
  program.working_directory = staging.work;
  program.staging = staging.folder;
  return program;
}

}  // namespace grader
