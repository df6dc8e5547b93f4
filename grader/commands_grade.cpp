// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <unistd.h>

#include "grader/commands.hpp"
#include "grader/destination.hpp"
#include "grader/fixture/task.hpp"
#include "grader/interrupt.hpp"
#include "grader/report/json.hpp"
#include "grader/report/junit.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/terminal.hpp"
#include "grader/report/wording.hpp"
#include "grader/submission/forms.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool can_move_cursor(int descriptor) {
  return ::isatty(descriptor) == 1 && environment("TERM") != "dumb";
}

bool wants_color(ColorChoice choice, int descriptor) {
  switch (choice) {
    case ColorChoice::always:
      return true;
    case ColorChoice::never:
      return false;
    case ColorChoice::automatic:
      return can_move_cursor(descriptor) && environment("NO_COLOR").empty();
  }
  return false;
}

void check_task_name(const Options& options, const DataPaths& data) {
  if (options.task.empty()) {
    return;
  }
  std::vector<std::string> names;
  for (const Task& task : read_tasks(data.fixtures)) {
    names.push_back(task.name);
  }
  if (std::ranges::count(names, options.task) > 0) {
    return;
  }
  std::string text =
      "cannot grade task " + one_line(options.task) + ": there is no such task";
  if (const auto suggestion = did_you_mean(options.task, names)) {
    text += "; did you mean " + *suggestion + "?";
  } else {
    text += ". The tasks are " + join(names, ", ");
  }
  throw Error(Blame::usage, text);
}

// "graded 12 of 40: kim.py", rewritten in place; nothing without a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool is_wanted)
      : is_shown_(is_wanted && can_move_cursor(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (is_shown_) {
      std::cerr << "\r\x1b[K" << std::flush;
    }
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::size_t done, std::size_t total, const std::string& file) {
    constexpr std::size_t columns = 79;
    if (is_shown_) {
      const std::string text = "graded " + std::to_string(done) + " of " +
                               std::to_string(total) + ": " + one_line(file);
      std::cerr << "\r\x1b[K" << shorten_end(text, columns) << std::flush;
    }
  }

 private:
  bool is_shown_;
};

Run grade(const Options& options, const DataPaths& data) {
  const Settings settings = make_settings(options, data);
  ProgressLine line(!options.quiet);
  Run run = run_pipeline(settings, [&line](std::size_t done, std::size_t total,
                                           const std::string& file) {
    line.show(done, total, file);
    InterruptWatch::check();
  });
  run.tool_version = tool_version();
  run.command = options.command == Command::check ? "check" : "grade";
  return run;
}

void say_nothing_found(const Run& run) {
  std::cerr << "attngrade: no submission found; submissions are "
            << supported_forms << '\n';
  if (run.passed_over > 0) {
    std::cerr << "  " << run.passed_over
              << " others were passed over; --recursive looks into "
                 "subfolders\n";
  }
}

void print_report(const Options& options, const Run& run) {
  // A document on stdout is alone there.
  const bool on_stderr = options.json == "-" || options.junit == "-";
  const int descriptor = on_stderr ? STDERR_FILENO : STDOUT_FILENO;
  TerminalStyle style;
  style.color = wants_color(options.color, descriptor);
  style.verbose = options.verbose;
  style.for_candidate = options.command == Command::check;
  (on_stderr ? std::cerr : std::cout) << render_run(run, style) << std::flush;
}

}  // namespace

int run_grade(const Options& options) {
  check_options(options);
  const DataPaths data = find_data(options.fixtures);
  check_task_name(options, data);
  Destination json(options.json);
  Destination junit(options.junit);
  const Run run = grade(options, data);
  json.write([&run] { return render_json(run); });
  junit.write([&run] { return render_junit(run); });
  if (run.records.empty()) {
    say_nothing_found(run);
  } else if (!options.quiet) {
    print_report(options, run);
  }
  return exit_code(run, options.exit_zero);
}

}  // namespace grader
