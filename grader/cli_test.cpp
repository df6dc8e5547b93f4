// SPDX-License-Identifier: MIT
#include "grader/cli.hpp"

#include <sstream>

#include "tests/catch.hpp"

using grader::Command;
using grader::CommandLine;

namespace {

CommandLine parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "attngrade");
  return grader::parse_command_line(static_cast<int>(arguments.size()),
                                    arguments.data());
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("grade takes paths and its options in any order", "[cli]") {
  const CommandLine line =
      parse({"grade", "--jobs", "3", "a", "--ranks", "2,3", "b",
             "--memory-limit", "512M", "--json", "-", "--color", "never"});
  REQUIRE(line.options);
  CHECK(line.options->command == Command::grade);
  CHECK(line.options->paths == std::vector<std::filesystem::path>{"a", "b"});
  CHECK(line.options->jobs == 3);
  CHECK(line.options->ranks == std::vector<int>{2, 3});
  CHECK(line.options->memory_limit == 536870912U);
  CHECK(line.options->json == "-");
  CHECK(line.options->color == grader::ColorChoice::never);
}

TEST_CASE("a folder can be one submission of grade and of check", "[cli]") {
  CHECK(parse({"grade", "--as-one", "ana"}).options->as_one);
  CHECK(parse({"check", "ana", "--as-one"}).options->as_one);
  CHECK_FALSE(parse({"grade", "ana"}).options->as_one);
}

TEST_CASE("each command is recognised", "[cli]") {
  CHECK(parse({"check", "a.py"}).options->command == Command::check);
  CHECK(parse({"faults"}).options->command == Command::faults);
  CHECK(parse({"faults", "scale-by-dk"}).options->fault == "scale-by-dk");
  CHECK(parse({"fixtures", "make", "a.json"}).options->command ==
        Command::fixtures_make);
  CHECK(parse({"fixtures", "verify"}).options->command ==
        Command::fixtures_verify);
  CHECK(parse({"fixtures", "audit"}).options->command ==
        Command::fixtures_audit);
  CHECK(parse({"doctor"}).options->command == Command::doctor);
  CHECK(parse({"new", "kit"}).options->command == Command::make_new);
  CHECK(parse({"new", "kit", "--language", "c,python"}).options->languages ==
        std::vector<std::string>{"c", "python"});
  CHECK(parse({"demo", "--d-k", "8"}).options->command == Command::demo);
  CHECK(parse({"demo", "training"}).options->command == Command::demo_training);
  CHECK(parse({"demo", "heads"}).options->command == Command::demo_heads);
  CHECK(parse({"demo", "transpose"}).options->command ==
        Command::demo_transpose);
}

TEST_CASE("an audit takes tasks or case files and what to compare by",
          "[cli]") {
  const CommandLine line =
      parse({"fixtures", "audit", "attention", "my.json", "--ranks", "2",
             "--tolerance", "1e-2", "--output-only", "--json", "-"});
  REQUIRE(line.options);
  CHECK(line.options->files ==
        std::vector<std::filesystem::path>{"attention", "my.json"});
  CHECK(line.options->ranks == std::vector<int>{2});
  CHECK(line.options->tolerance == 1e-2);
  CHECK(line.options->output_only);
  CHECK(parse({"fixtures", "audit", "--tolerance", "0"}).exit_code == 2);
  CHECK(contains(parse({"fixtures", "audit", "--help"}).output,
                 "Examples\n  attngrade fixtures audit"));
}

TEST_CASE("help and version succeed and go to stdout", "[cli]") {
  for (const char* command :
       {"grade", "check", "faults", "fixtures", "doctor"}) {
    const CommandLine line = parse({command, "--help"});
    INFO(command);
    CHECK_FALSE(line.options);
    CHECK(line.exit_code == 0);
    CHECK(
        contains(line.output, "Examples\n  attngrade " + std::string(command)));
  }
  CHECK(contains(parse({"--version"}).output, "attngrade 0."));
  CHECK(contains(parse({"--help"}).output, "Exit codes"));
}

TEST_CASE("help is at most 80 columns wide", "[cli]") {
  const std::vector<std::vector<const char*>> helps{
      {"--help"},
      {"grade", "--help"},
      {"check", "--help"},
      {"faults", "--help"},
      {"doctor", "--help"},
      {"fixtures", "--help"},
      {"fixtures", "make", "--help"}};
  for (const std::vector<const char*>& help : helps) {
    std::istringstream lines(parse(help).output);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("misuse ends with 2 and a way out", "[cli]") {
  const std::vector<std::vector<const char*>> misuses{
      {},
      {"grade"},
      {"grade", "a", "--ranks", "5"},
      {"grade", "a", "--jobs", "0"},
      {"grade", "a", "--jobs", "many"},
      {"grade", "a", "--memory-limit", "1T"},
      {"grade", "a", "--memory-limit", "1M"},
      {"grade", "a", "--memory-limit", "1025G"},
      {"grade", "a", "--output-limit", "100"},
      {"grade", "a", "--disk-limit", "4095"},
      {"grade", "a", "--disk-limit", "17179869183G"},
      {"grade", "a", "--file-limit", "63"},
      {"grade", "a", "--process-limit", "15"},
      {"grade", "a", "--time-limit", "-1"},
      {"grade", "a", "--color", "pink"},
      {"grade", "a", "--isolation", "L9"},
      {"grade", "a", "--isolation", "L0"},
      {"grade", "a", "--seed", "-1"},
      {"fixtures"},
      {"new"},
      {"new", "a", "b"},
      {"new", "a", "--language", "cobol"},
      {"fixtures", "mend"},
      {"faults", "a", "b"},
      {"grade", "a", "--json"}};
  for (const std::vector<const char*>& misuse : misuses) {
    const CommandLine line = parse(misuse);
    INFO(line.complaint);
    CHECK_FALSE(line.options);
    CHECK(line.exit_code == 2);
    CHECK(line.output.empty());
    CHECK(contains(line.complaint, "--help"));
  }
}

TEST_CASE("a number out of bounds is told with them", "[cli]") {
  const auto complaint = [](const char* option, const char* value) {
    const std::string text = parse({"grade", "a", option, value}).complaint;
    return text.substr(0, text.find('\n'));
  };
  CHECK(complaint("--jobs", "0") ==
        "attngrade: --jobs: expected a whole number from 1 to 4096, not 0");
  for (const char* value : {"0", "nan", "inf", "1e7", "ten", "1s", ""}) {
    CHECK(complaint("--time-limit", value) ==
          "attngrade: --time-limit: expected a number from 0.1 to 1000000, "
          "not " +
              std::string(value));
  }
  CHECK(complaint("--file-limit", "99999999999999999999")
            .ends_with("not 99999999999999999999"));
  CHECK(parse({"grade", "a", "--time-limit", "0.1"}).options->time_limit ==
        0.1);
}

TEST_CASE("a misspelt name gets a suggestion", "[cli]") {
  CHECK(contains(parse({"grad", "a"}).complaint, "did you mean grade?"));
  CHECK(contains(parse({"grade", "a", "--jsn", "x"}).complaint,
                 "did you mean --json?"));
  CHECK(contains(parse({"grade", "a", "--junti=x"}).complaint,
                 "did you mean --junit?"));
  CHECK_FALSE(contains(parse({"frobnicate"}).complaint, "did you mean"));
}

TEST_CASE("hostile arguments are printed safely", "[cli]") {
  const CommandLine line = parse({"\x1b[2J\xFF"});
  CHECK(line.exit_code == 2);
  CHECK_FALSE(contains(line.complaint, "\x1b"));
}
