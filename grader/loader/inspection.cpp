// SPDX-License-Identifier: MIT
#include "grader/loader/inspection.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/loader/staging.hpp"
#include "grader/system/command.hpp"
#include "grader/system/error.hpp"

namespace grader {
namespace {

using nlohmann::json;

// Parsing is not running, but a file can be a bomb for the parser too.
CommandLimits inspection_limits() {
  CommandLimits limits;
  limits.wall = std::chrono::seconds(60);
  limits.cpu = std::chrono::seconds(20);
  limits.memory = std::uint64_t{2} << 30U;
  limits.file_size = 1;
  limits.output = std::size_t{4} << 20U;
  return limits;
}

std::filesystem::path write_list(const InspectionRequest& request) {
  std::filesystem::path path = request.scratch / "inspected_files";
  std::ofstream file(path, std::ios::binary);
  for (const std::string& name : request.names) {
    file << name << '\0';
  }
  file.close();
  if (!file) {
    throw Error(Blame::environment,
                "cannot write " + path.string() + errno_text(errno));
  }
  return path;
}

// {"ana.py": {"attention": [{"name", "file", "place", "certain"}]}}; those of
// `file` itself are said without its name.
NamedCalls read_calls(const json& of_files, const std::string& file) {
  const json of_file = of_files.value(file, json::object());
  NamedCalls calls;
  for (const auto& [function, found] : of_file.items()) {
    for (const json& one : found) {
      const auto where = one.at("file").get<std::string>();
      calls[function].push_back({one.at("name").get<std::string>(),
                                 (where == file ? "" : where + ", ") +
                                     one.at("place").get<std::string>(),
                                 one.at("certain").get<bool>()});
    }
  }
  return calls;
}

// The line after those of the files, if the reader came so far.
void read_scan(const std::string& line, std::vector<FileInspection>& files) {
  const json answer = json::parse(line, nullptr, false);
  for (FileInspection& file : files) {
    try {
      file.calls = read_calls(answer, file.name);
    } catch (const json::exception&) {
      return;
    }
  }
}

// A line for each file, as far as the reader came.
void read_answer(const std::string& text, std::vector<FileInspection>& files) {
  std::istringstream lines(text);
  std::string line;
  for (FileInspection& file : files) {
    if (!std::getline(lines, line)) {
      return;
    }
    const json answer = json::parse(line, nullptr, false);
    FileInspection read = file;
    try {
      answer.at("imports").get_to(read.imports);
      answer.at("uses").get_to(read.uses);
      answer.at("definitions").get_to(read.definitions);
    } catch (const json::exception&) {
      return;
    }
    file = std::move(read);
  }
  if (std::getline(lines, line)) {
    read_scan(line, files);
  }
}

// "sub/utils.py" is imported as `utils` or as `sub`.
bool is_module_of(const std::string& module, const std::string& name) {
  const std::filesystem::path path(name);
  return path.stem() == module ||
         std::ranges::any_of(path.parent_path(), [&](const auto& folder) {
           return folder == module;
         });
}

}  // namespace

bool uses_file(const FileInspection& file, const std::string& name) {
  return std::ranges::any_of(file.uses, [&](const std::string& module) {
    return is_module_of(module, name);
  });
}

std::vector<FileInspection> inspect_files(const InspectionRequest& request) {
  std::vector<FileInspection> files;
  files.reserve(request.names.size());
  for (const std::string& name : request.names) {
    files.push_back({name, {}, {}, {}});
  }
  const std::filesystem::path list = write_list(request);
  make_readable(list);
  Confinement confinement;
  confinement.shown = request.interpreter.places;
  confinement.shown.insert(confinement.shown.end(),
                           {request.host, request.root, list});
  const CommandLimits limits = inspection_limits();
  // -S: nothing but the standard library, which is a matter of milliseconds.
  const SpawnRequest reader = command_request(
      {request.interpreter.executable.string(), "-I", "-S", "-B",
       (request.host / "inspect_files.py").string(), request.root.string(),
       list.string(), request.watched},
      {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}, request.scratch, limits);
  const CommandResult result =
      run_command(confine(reader, request.isolation, confinement), limits);
  read_answer(result.standard_output, files);
  return files;
}

std::vector<std::string> all_imports(const std::vector<FileInspection>& files,
                                     const std::string& name) {
  std::set<std::string> imports;
  std::set<std::string> seen;
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const std::string current = open.back();
    open.pop_back();
    const auto file = std::ranges::find(files, current, &FileInspection::name);
    if (file == files.end() || !seen.insert(current).second) {
      continue;
    }
    imports.insert(file->imports.begin(), file->imports.end());
    for (const FileInspection& other : files) {
      if (uses_file(*file, other.name)) {
        open.push_back(other.name);
      }
    }
  }
  return {imports.begin(), imports.end()};
}

}  // namespace grader
