// SPDX-License-Identifier: MIT
#include "grader/options.hpp"

#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

using grader::check_options;
using grader::Error;
using grader::make_settings;
using grader::Options;
using grader::parse_ranks;
using grader::parse_size;

namespace {

grader::Blame blame_of(const Options& options) {
  try {
    check_options(options);
  } catch (const Error& error) {
    return error.blame();
  }
  throw std::logic_error("no error");
}

}  // namespace

TEST_CASE("a size has a suffix for powers of 1024", "[options]") {
  CHECK(parse_size("65536") == 65536U);
  CHECK(parse_size("2K") == 2048U);
  CHECK(parse_size("512M") == 536870912U);
  CHECK(parse_size("1g") == 1073741824U);
}

TEST_CASE("what is no size is refused", "[options]") {
  for (const char* text : {"", "M", "0", "-1", "1T", "1MB", "1.5G", " 1",
                           "18446744073709551616", "17179869184G"}) {
    INFO(text);
    CHECK_FALSE(parse_size(text));
  }
  CHECK(parse_size("17179869183G"));
}

TEST_CASE("ranks are a list of 2, 3 and 4", "[options]") {
  CHECK(parse_ranks("2") == std::vector<int>{2});
  CHECK(parse_ranks("4,2") == std::vector<int>{4, 2});
  for (const char* text :
       {"", ",", "2,", "1", "5", "22", "2,2", "2 3", "2;3"}) {
    INFO(text);
    CHECK_FALSE(parse_ranks(text));
  }
}

TEST_CASE("two documents cannot share stdout or a file", "[options]") {
  Options options;
  options.json = "-";
  CHECK_NOTHROW(check_options(options));
  options.junit = "-";
  CHECK(blame_of(options) == grader::Blame::usage);
  options.json = options.junit = "out.txt";
  CHECK(blame_of(options) == grader::Blame::usage);
}

TEST_CASE("a folder is one submission, or is looked into", "[options]") {
  Options options;
  options.as_one = true;
  CHECK_NOTHROW(check_options(options));
  options.recursive = true;
  CHECK(blame_of(options) == grader::Blame::usage);
}

TEST_CASE("an isolation that is not there fails closed", "[options]") {
  const grader::DataPaths without_tools;
  Options options;
  options.isolation = "none";
  options.require_isolation = "none";
  CHECK_NOTHROW(make_settings(options, without_tools));
  options.isolation = "auto";
  options.require_isolation = "L2";
  CHECK_THROWS_AS(make_settings(options, without_tools), grader::Error);
  options.require_isolation = "";
  options.isolation = "none";
  CHECK_NOTHROW(make_settings(options, without_tools));
  options.isolation = "L1";
  CHECK_THROWS_AS(make_settings(options, without_tools), grader::Error);
}

TEST_CASE("no isolation at all has to be typed by who grades", "[options]") {
  const grader::DataPaths without_tools;
  Options options;
  for (const char* required : {"", "L0", "none"}) {
    options.require_isolation = required;
    try {
      make_settings(options, without_tools);
      FAIL("graded without isolation");
    } catch (const Error& error) {
      CHECK(error.blame() == grader::Blame::environment);
      const std::string text = error.what();
      CHECK(text.find("attngrade-cell is not beside") != std::string::npos);
      CHECK(text.find("--isolation none") != std::string::npos);
    }
  }
  options.isolation = "none";
  CHECK(make_settings(options, without_tools).isolation.isolation.level ==
        grader::IsolationLevel::level0);
}

TEST_CASE("check and commands run without isolation unasked", "[options]") {
  const grader::DataPaths without_tools;
  Options options;
  options.command = grader::Command::check;
  CHECK_NOTHROW(make_settings(options, without_tools));
  options.command = grader::Command::grade;
  options.command_line = "./attention";
  CHECK_NOTHROW(make_settings(options, without_tools));
}

TEST_CASE("settings follow the options", "[options]") {
  Options options;
  options.command = grader::Command::check;
  options.time_limit = 2.0;
  options.task = "attention";
  options.as_one = true;
  options.process_limit = 30;
  options.file_limit = 100;
  options.disk_limit = 5000;
  const grader::Settings settings = make_settings(options, {});
  CHECK_FALSE(settings.use_twins);
  CHECK(settings.as_one);
  CHECK(settings.jobs >= 1);
  CHECK(settings.limits.cpu.count() == 2.0);
  CHECK(settings.limits.wall.count() == 6.0);
  CHECK(settings.match.task == "attention");
  CHECK(settings.limits.processes == 30);
  CHECK(settings.limits.files == 100);
  CHECK(settings.limits.disk == 5000);
}

TEST_CASE("what a submission must not see is named without links",
          "[options]") {
  const grader::TemporaryFolder folder(grader::temporary_root(),
                                       "attngrade-test");
  const auto real = std::filesystem::canonical(folder.path()) / "real";
  const auto link = folder.path() / "link";
  std::filesystem::create_directory(real);
  std::filesystem::create_directory_symlink(real, link);
  grader::DataPaths data;
  data.fixtures = link;
  CHECK(grader::tools_of(data).hidden == std::vector{real});
}
