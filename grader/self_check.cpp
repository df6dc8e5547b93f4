// SPDX-License-Identifier: MIT
#include "grader/self_check.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>

#include "grader/commands.hpp"
#include "grader/interrupt.hpp"
#include "grader/loader/program_search.hpp"
#include "grader/pipeline.hpp"
#include "grader/report/json.hpp"
#include "grader/report/terminal.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"
#include "grader/worker/native_host.hpp"

namespace grader {
namespace {

// How the program starts itself as the host of its own functions.
constexpr const char* host_option = "--attngrade-host";

constexpr const char* help =
    "checks the attention functions that are linked into this program\n"
    "\n"
    "  --verbose   with every case and everything that was printed\n"
    "  --json      the result as JSON instead of the report\n"
    "  --help      this text\n"
    "\n"
    "Exit codes\n"
    "  0 every function is correct    2 wrong use of the command\n"
    "  1 at least one is not          3 the check itself failed\n";

struct Request {
  bool help = false;
  bool verbose = false;
  bool json = false;
};

Request parse(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--help" || option == "-h") {
      request.help = true;
    } else if (option == "--verbose" || option == "-v") {
      request.verbose = true;
    } else if (option == "--json") {
      request.json = true;
    } else {
      throw Error(Blame::usage, "cannot understand " + one_line(option) +
                                    ": there are --verbose, --json and --help");
    }
  }
  return request;
}

Run check_this_program(const std::string& name, const char* fixtures) {
  Program program;
  program.language = Language::native;
  program.argv = {std::filesystem::read_symlink("/proc/self/exe").string(),
                  host_option};
  program.environment = own_environment();
  program.working_directory = std::filesystem::current_path();
  Settings settings;
  settings.fixtures = fixtures;
  settings.use_twins = false;
  Run run = check_program(program, settings);
  run.tool_version = tool_version();
  for (Record& record : run.records) {
    record.file = name;
  }
  return run;
}

bool wants_color() {
  return ::isatty(STDOUT_FILENO) == 1 &&
         environment_variable("NO_COLOR").empty() &&
         environment_variable("TERM") != "dumb";
}

int run_request(const Request& request, const std::string& name,
                const char* fixtures) {
  if (request.help) {
    std::cout << name << " " << help;
    return exit_success;
  }
  const Run run = check_this_program(name, fixtures);
  TerminalStyle style;
  style.color = wants_color();
  style.verbose = request.verbose;
  std::cout << (request.json ? render_json(run) : render_run(run, style))
            << std::flush;
  return exit_code(run, false);
}

}  // namespace
}  // namespace grader

extern "C" int attngrade_self_check(int argc, char** argv,
                                    const char* fixtures) {
  if (argc == 2 && std::string_view(argv[1]) == grader::host_option) {
    return grader::run_native_host();
  }
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  try {
    return grader::run_request(grader::parse(argc, argv), name, fixtures);
  } catch (const grader::Error& error) {
    std::cerr << name << ": " << error.what() << "\n";
    return error.blame() == grader::Blame::usage ? grader::exit_usage
                                                 : grader::exit_environment;
  } catch (const std::exception& error) {
    std::cerr << name << ": cannot go on: " << error.what() << "\n";
    return grader::exit_environment;
  }
}
