// SPDX-License-Identifier: MIT
#include "grader/options.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sys/resource.h>
#include <thread>

#include "grader/system/error.hpp"
#include "grader/system/split_words.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

void check_command_line(const Options& options) {
  const std::string& line = options.command_line;
  if (line.empty()) {
    return;
  }
  const auto refuse = [&](const std::string& why) {
    throw Error(Blame::usage,
                "cannot grade --command " + one_line(line) + ": " + why);
  };
  if (options.task.empty()) {
    refuse(
        "it says nothing of what it computes; name it, such as --task "
        "attention");
  }
  if (!options.paths.empty()) {
    refuse("a run grades a command or paths, not both; leave out " +
           one_line(options.paths.front().string()));
  }
  if (!options.entry.empty()) {
    refuse("a command has no functions that --entry could name; leave it out");
  }
  const auto words = split_words(line);
  if (!words || words->empty()) {
    refuse(words ? "there is no program in it" : "a quote is not closed");
  }
}

// Shift of a size's suffix, or nothing for an unknown one.
std::optional<unsigned> suffix_shift(std::string_view suffix) {
  if (suffix.empty()) {
    return 0U;
  }
  constexpr std::string_view letters = "KMG";
  const char upper = static_cast<char>(
      suffix[0] >= 'a' && suffix[0] <= 'z' ? suffix[0] - 'a' + 'A' : suffix[0]);
  const std::size_t index = letters.find(upper);
  if (suffix.size() > 1 || index == std::string_view::npos) {
    return std::nullopt;
  }
  constexpr unsigned bits_a_step = 10;
  return bits_a_step * (static_cast<unsigned>(index) + 1);
}

// FILE:NAME names a file of a folder; a name alone has no colon.
MatchOptions match_options(const Options& options) {
  const std::size_t colon = options.entry.rfind(':');
  const bool has_file = colon != std::string::npos;
  MatchOptions match;
  match.task = options.task;
  match.entry = has_file ? options.entry.substr(colon + 1) : options.entry;
  match.file = has_file ? options.entry.substr(0, colon) : "";
  match.dtype = parse_dtype(options.dtype);
  match.framework = parse_framework(options.framework);
  match.mask_convention = parse_mask_convention(options.mask_convention);
  return match;
}

// A command is a program of the user's own choice, which may need anything of
// their machine.
IsolationFinding without_isolation(const Options& options) {
  for (const std::string& level :
       {options.isolation, options.require_isolation}) {
    if (parse_isolation_level(level).value_or(IsolationLevel::level0) !=
        IsolationLevel::level0) {
      throw Error(Blame::environment,
                  "cannot isolate --command at " + level +
                      ": a command runs with your rights; run attngrade in a "
                      "container");
    }
  }
  return {};
}

// To run the code of others without any isolation has to be typed.
void demand_isolation(const Options& options, const IsolationFinding& finding) {
  if (options.command == Command::grade && options.isolation == "auto" &&
      finding.isolation.level == IsolationLevel::level0) {
    throw Error(Blame::environment,
                "cannot isolate submissions: " + finding.obstacle +
                    ". What may help is in docs/isolation.md and in `attngrade "
                    "doctor`. To run them with your rights, your files and "
                    "your network, say so: --isolation none");
  }
}

// check runs the code of whoever types it.
IsolationFinding isolation_of(const Options& options, const DataPaths& data) {
  if (!options.command_line.empty()) {
    return without_isolation(options);
  }
  const bool is_unasked = options.command == Command::check &&
                          options.isolation == "auto" &&
                          options.require_isolation.empty();
  IsolationFinding finding =
      find_isolation(is_unasked ? "none" : options.isolation,
                     options.require_isolation, tools_of(data));
  demand_isolation(options, finding);
  return finding;
}

// What the grader may not give is not to be held against a submission.
void check_file_limit(const Options& options) {
  rlimit own{};
  getrlimit(RLIMIT_NOFILE, &own);
  if (options.file_limit > Options{}.file_limit &&
      options.file_limit > own.rlim_max) {
    throw Error(Blame::usage,
                "cannot give --file-limit " +
                    std::to_string(options.file_limit) +
                    ": the grader itself may open no more than " +
                    std::to_string(own.rlim_max) +
                    " files; raise the hard limit, see `ulimit -Hn`");
  }
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc()) {
    return std::nullopt;
  }
  const auto shift = suffix_shift(
      text.substr(static_cast<std::size_t>(parsed.ptr - text.data())));
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  if (!shift || number == 0 || number > largest >> *shift) {
    return std::nullopt;
  }
  return number << *shift;
}

std::optional<std::vector<int>> parse_ranks(std::string_view text) {
  std::vector<int> ranks;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int rank = text[i] - '0';
    const bool is_separated = i + 1 == text.size() || text[i + 1] == ',';
    if (rank < 2 || rank > 4 || !is_separated ||
        std::ranges::count(ranks, rank) > 0) {
      return std::nullopt;
    }
    ranks.push_back(rank);
  }
  if (ranks.empty() || text.back() == ',') {
    return std::nullopt;
  }
  return ranks;
}

void check_options(const Options& options) {
  if (options.json == "-" && options.junit == "-") {
    throw Error(Blame::usage,
                "cannot write --json and --junit both to stdout: give one of "
                "them a file");
  }
  const auto resolved = [](const std::filesystem::path& path) {
    return path == "-" ? path : std::filesystem::weakly_canonical(path);
  };
  if (!options.json.empty() &&
      resolved(options.json) == resolved(options.junit)) {
    throw Error(Blame::usage, "cannot write --json and --junit to one file");
  }
  if (options.as_one && options.recursive) {
    throw Error(
        Blame::usage,
        "cannot take a folder as one submission (--as-one) and look for "
        "submissions in it (--recursive): give one of them");
  }
  check_command_line(options);
  check_file_limit(options);
}

Isolation tools_of(const DataPaths& data) {
  Isolation tools;
  tools.keeper = data.cell;
  tools.fork_library = data.fork_library;
  // Without links: in a cell these would lead out of it, and hide nothing.
  tools.hidden = {std::filesystem::weakly_canonical(data.fixtures)};
  return tools;
}

Settings make_settings(const Options& options, const DataPaths& data) {
  constexpr double wall_factor = 3.0;  // contract, section 5: Limits
  Settings settings;
  settings.paths = options.paths;
  settings.recursive = options.recursive;
  settings.as_one = options.as_one;
  settings.command = options.command_line;
  settings.match = match_options(options);
  settings.ranks = options.ranks;
  settings.python = options.python;
  settings.fixtures = data.fixtures;
  settings.include_folder = data.include_folder;
  settings.native_host = data.native_host;
  settings.seed = options.seed;
  settings.use_twins = options.command == Command::grade;
  settings.jobs = options.jobs > 0
                      ? options.jobs
                      : std::max(1U, std::thread::hardware_concurrency());
  settings.limits.cpu = std::chrono::duration<double>(options.time_limit);
  settings.limits.wall = wall_factor * settings.limits.cpu;
  settings.limits.memory = options.memory_limit;
  settings.limits.output = options.output_limit;
  settings.limits.processes = options.process_limit;
  settings.limits.files = options.file_limit;
  settings.limits.disk = options.disk_limit;
  settings.isolation = isolation_of(options, data);
  settings.lane = options.lane;
  return settings;
}

}  // namespace grader
