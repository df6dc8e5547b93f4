// SPDX-License-Identifier: MIT
#include "grader/loader/inspection.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/loader/cell.hpp"
#include "grader/loader/staging.hpp"
#include "grader/system/command.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

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

// Of a host that reads, and runs the submission afterwards. What takes longer
// is for a program of its own, under narrower limits.
CommandLimits quick_limits() {
  CommandLimits limits = inspection_limits();
  limits.wall = std::chrono::seconds(10);
  limits.cpu = std::chrono::seconds(2);
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
  make_readable(path);
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

// What it prints before it looks at any file, and at the end.
constexpr std::string_view ready = "ready";
constexpr std::string_view the_end = "\ndone\n";

std::optional<FileInspection> read_line(const std::string& line,
                                        const std::string& name) {
  const json answer = json::parse(line, nullptr, false);
  FileInspection read{name, {}, {}, {}};
  try {
    answer.at("imports").get_to(read.imports);
    answer.at("uses").get_to(read.uses);
    answer.at("definitions").get_to(read.definitions);
    answer.at("cut").get_to(read.cut);
    answer.at("device").get_to(read.mentions_device);
  } catch (const json::exception&) {
    return std::nullopt;
  }
  return read;
}

struct Reading {
  bool has_started = false;
  std::vector<FileInspection> files;  // of the first names, as far as it came
};

Reading read_answer(const std::string& text,
                    std::span<const std::string> names) {
  std::istringstream lines(text);
  std::string line;
  Reading reading;
  reading.has_started = std::getline(lines, line) && line == ready;
  for (const std::string& name : names) {
    const auto file = reading.has_started && std::getline(lines, line)
                          ? read_line(line, name)
                          : std::nullopt;
    if (!file) {
      break;
    }
    reading.files.push_back(*file);
  }
  if (reading.files.size() == names.size() && std::getline(lines, line)) {
    read_scan(line, reading.files);
  }
  return reading;
}

// The reader runs nothing of a file: what ends it is either what a parser can
// come to, or somebody else's doing.
bool is_files_doing(const CommandResult& result) {
  const bool is_parsers_end = result.signal == 0 || result.signal == SIGXCPU ||
                              result.signal == SIGSEGV ||
                              result.signal == SIGABRT;
  return is_parsers_end && (!result.timed_out || result.signal == SIGXCPU);
}

// "cannot WHAT: it was killed by signal 9"
std::string how_it_ended(const CommandResult& result) {
  std::string text =
      result.timed_out ? "it ran out of time"
      : result.signal != 0
          ? "signal " + std::to_string(result.signal) + " ended it"
          : "it ended with exit code " + std::to_string(result.exit_status);
  const std::string said = one_line(result.standard_error);
  return text + (said.empty() ? "" : ": " + said);
}

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The words behind `import` and `from`, wherever they stand: too many do less
// harm than too few.
std::vector<std::string> look_like_imports(const std::string& text) {
  std::set<std::string> words;
  for (const std::string_view keyword : {"import ", "from "}) {
    for (std::size_t at = text.find(keyword); at != std::string::npos;
         at = text.find(keyword, at + 1)) {
      const std::size_t begin = at + keyword.size();
      std::size_t end = begin;
      while (end < text.size() && is_word_part(text[end])) {
        ++end;
      }
      words.insert(text.substr(begin, end - begin));
    }
  }
  words.erase("");
  return {words.begin(), words.end()};
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// As inspect_files.py takes them.
std::vector<std::string> words_for_reader(const InspectionRequest& request,
                                          const std::filesystem::path& list,
                                          std::size_t first) {
  return {request.root.string(), list.string(), std::to_string(first),
          request.watched};
}

std::unique_ptr<Child> start_reader(const InspectionRequest& request,
                                    const std::filesystem::path& list,
                                    std::size_t first,
                                    const CommandLimits& limits) {
  Confinement confinement;
  confinement.shown = request.interpreter.places;
  confinement.shown.insert(confinement.shown.end(),
                           {request.host.parent_path(), request.root, list});
  // -S: nothing but the standard library, which is a matter of milliseconds.
  std::vector<std::string> argv = {
      request.interpreter.executable.string(), "-I", "-S", "-B",
      (request.host / "inspect_files.py").string()};
  std::ranges::copy(words_for_reader(request, list, first),
                    std::back_inserter(argv));
  return std::make_unique<Child>(
      confine(command_request(argv, {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"},
                              request.scratch, limits),
              request.isolation, confinement));
}

// What one reader makes of the names from `first` on; of the last of them that
// it was the end of the reader, perhaps. `obstacle`: nothing was made of any,
// and why.
struct Attempt {
  std::vector<FileInspection> files;
  std::string obstacle;
};

Attempt attempt(const InspectionRequest& request,
                const std::filesystem::path& list, std::size_t first) {
  const CommandLimits limits = inspection_limits();
  CommandResult result;
  try {
    result = finish_command(start_reader(request, list, first, limits), limits);
  } catch (const Error& failure) {
    return {{}, failure.what()};
  }
  Reading reading = read_answer(result.standard_output,
                                std::span(request.names).subspan(first));
  const std::size_t next = first + reading.files.size();
  if (next < request.names.size()) {
    if (!reading.has_started || !is_files_doing(result)) {
      return {std::move(reading.files),
              "cannot read what a submission imports with " +
                  request.interpreter.executable.string() + ": " +
                  how_it_ended(result)};
    }
    reading.files.push_back({request.names[next], {}, {}, {}});
    reading.files.back().cut =
        "the parser came to no end with it: " + how_it_ended(result);
  }
  return {std::move(reading.files), ""};
}

void look_at_cut(const InspectionRequest& request,
                 std::vector<FileInspection>& files) {
  for (FileInspection& file : files) {
    if (!file.cut.empty()) {
      file.imports = look_like_imports(text_of(request.root / file.name));
      file.mentions_device = true;  // perhaps
    }
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

std::vector<const FileInspection*> with_used_files(
    const std::vector<FileInspection>& files, const std::string& name) {
  std::vector<const FileInspection*> found;
  std::set<std::string> seen;
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const std::string current = open.back();
    open.pop_back();
    const auto file = std::ranges::find(files, current, &FileInspection::name);
    if (file == files.end() || !seen.insert(current).second) {
      continue;
    }
    found.push_back(&*file);
    for (const FileInspection& other : files) {
      if (uses_file(*file, other.name)) {
        open.push_back(other.name);
      }
    }
  }
  return found;
}

}  // namespace

bool uses_file(const FileInspection& file, const std::string& name) {
  return std::ranges::any_of(file.uses, [&](const std::string& module) {
    return is_module_of(module, name);
  });
}

std::vector<FileInspection> inspect_files(const InspectionRequest& request) {
  constexpr int most_bombs = 3;  // each takes its time
  constexpr int most_failures = 1;
  const std::filesystem::path list = write_list(request);
  std::vector<FileInspection> files;
  int failures = 0;
  for (int bombs = 0; files.size() < request.names.size();) {
    if (bombs == most_bombs) {
      files.push_back({request.names[files.size()], {}, {}, {}});
      files.back().cut = "other files took all the time that there is for it";
      continue;
    }
    Attempt done = attempt(request, list, files.size());
    std::ranges::move(done.files, std::back_inserter(files));
    if (!done.obstacle.empty() && failures++ == most_failures) {
      throw Error(Blame::environment, done.obstacle);
    }
    bombs += done.obstacle.empty() ? 1 : 0;
  }
  look_at_cut(request, files);
  return files;
}

std::optional<HostInspection> inspect_in_host(const InspectionRequest& request,
                                              const Program& host,
                                              const Limits& limits) {
  const std::filesystem::path list = write_list(request);
  Program reader = host;
  reader.confinement.shown.push_back(list);
  std::vector<std::string> words = words_for_reader(request, list, 0);
  words.insert(words.begin(), "inspect");
  auto waiting = std::make_shared<WaitingHost>();
  waiting->child = spawn_copy(reader, limits, std::move(words));
  if (waiting->child == nullptr) {
    return std::nullopt;
  }
  waiting->baseline = address_space(*waiting->child);
  const auto text = await_output(*waiting->child, the_end, quick_limits());
  Reading reading = read_answer(text.value_or(""), std::span(request.names));
  if (reading.files.size() < request.names.size()) {
    return std::nullopt;
  }
  look_at_cut(request, reading.files);
  return HostInspection{std::move(reading.files), std::move(waiting)};
}

std::vector<std::string> all_imports(const std::vector<FileInspection>& files,
                                     const std::string& name) {
  std::set<std::string> imports;
  for (const FileInspection* file : with_used_files(files, name)) {
    imports.insert(file->imports.begin(), file->imports.end());
  }
  return {imports.begin(), imports.end()};
}

bool mention_device(const std::vector<FileInspection>& files,
                    const std::string& name) {
  return std::ranges::any_of(with_used_files(files, name),
                             &FileInspection::mentions_device);
}

}  // namespace grader
