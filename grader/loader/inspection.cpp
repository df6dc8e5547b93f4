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

#include "grader/loader/python_server.hpp"
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
}

// "sub/utils.py" is imported as `utils` or as `sub`.
bool is_module_of(const std::string& module, const std::string& name) {
  const std::filesystem::path path(name);
  return path.stem() == module ||
         std::ranges::any_of(path.parent_path(), [&](const auto& folder) {
           return folder == module;
         });
}

// Or null.
std::unique_ptr<Child> copy_of_server(const InspectionRequest& request,
                                      SpawnRequest reader,
                                      const std::filesystem::path& list,
                                      const Confinement& confinement) {
  if (request.fork_servers == nullptr) {
    return nullptr;
  }
  reader.argv = {"inspect", request.root.string(), list.string(), ""};
  return request.fork_servers->copy(
      python_server(request.interpreter, request.host, {},
                    request.fork_servers->isolation()),
      reader, confinement);
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
  SpawnRequest reader = command_request(
      {request.interpreter.executable.string(), "-I", "-S", "-B",
       (request.host / "inspect_files.py").string(), request.root.string(),
       list.string()},
      {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}, request.scratch, limits);
  std::unique_ptr<Child> copy =
      copy_of_server(request, reader, list, confinement);
  const CommandResult result =
      copy != nullptr
          ? finish_command(std::move(copy), limits)
          : run_command(confine(reader, request.isolation, confinement),
                        limits);
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
