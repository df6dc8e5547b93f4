// SPDX-License-Identifier: MIT
#include "grader/paths.hpp"

#include <fstream>

#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

using grader::find_data;
using grader::TemporaryFolder;

TEST_CASE("a program in its build tree finds the source folder", "[paths]") {
  const grader::DataPaths data = find_data({});
  CHECK(data.fixtures ==
        std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures");
}

TEST_CASE("a named fixture folder goes before all others", "[paths]") {
  const TemporaryFolder folder(grader::temporary_root(), "paths");
  std::filesystem::create_directory(folder.path() / "tasks");
  CHECK(find_data(folder.path()).fixtures == folder.path());
}

TEST_CASE("a named folder without tasks is a usage error", "[paths]") {
  const TemporaryFolder folder(grader::temporary_root(), "paths");
  try {
    find_data(folder.path());
    FAIL("no error");
  } catch (const grader::Error& error) {
    CHECK(error.blame() == grader::Blame::usage);
  }
}
