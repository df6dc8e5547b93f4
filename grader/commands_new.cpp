// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

#include "grader/commands.hpp"
#include "grader/make_kit.hpp"
#include "grader/paths.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  throw Error(Blame::usage,
              "cannot write " + one_line(path.string()) + ": " + why);
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

Task task_named(const std::string& name, const DataPaths& data) {
  const std::vector<Task> tasks = read_tasks(data.fixtures);
  const auto found = std::ranges::find(tasks, name, &Task::name);
  if (found == tasks.end()) {
    std::vector<std::string> names(tasks.size());
    std::ranges::transform(tasks, names.begin(), &Task::name);
    const auto near_miss = did_you_mean(name, names);
    throw Error(Blame::usage,
                "cannot ask for " + one_line(name) + ": there is no such task" +
                    (near_miss ? "; did you mean " + *near_miss + "?" : ""));
  }
  return *found;
}

// Nothing that is there is written over.
void make_empty(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    cannot_write(folder, error.message());
  }
  if (!fs::is_empty(folder, error) || error) {
    cannot_write(folder, "it is there, and not empty; name a new folder");
  }
}

void write(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) {
    cannot_write(path, "the disk may be full");
  }
}

// The task and its cases, as they are.
void copy_fixtures(const Task& task, const DataPaths& data,
                   const fs::path& folder) {
  const std::string task_file = task.name + ".json";
  write(folder / "tasks" / task_file,
        text_of(data.fixtures / "tasks" / task_file));
  for (const fs::path& file : task.case_files) {
    write(folder / "cases" / task.name / file.filename(), text_of(file));
  }
}

}  // namespace

int run_new(const Options& options) {
  const DataPaths data = find_data(options.fixtures);
  const Task task =
      task_named(options.task.empty() ? "attention" : options.task, data);
  const std::vector<KitFile> files = make_kit(
      {task, options.languages, text_of(data.include_folder / "attngrade.h")});
  const fs::path& folder = options.paths.front();
  make_empty(folder);
  for (const KitFile& file : files) {
    write(folder / file.name, file.text);
  }
  copy_fixtures(task, data, folder / "fixtures");
  std::cout << "wrote " << one_line(folder.string()) << ": " << task.name
            << ", " << task.case_files.size() << " public cases\n";
  for (const KitFile& file : files) {
    std::cout << "  " << file.name.string() << "\n";
  }
  std::cout << "  fixtures/\n\nTry it: attngrade check "
            << one_line((folder / files.front().name).string())
            << " --fixtures " << one_line((folder / "fixtures").string())
            << "\n";
  return exit_success;
}

}  // namespace grader
