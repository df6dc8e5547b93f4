// SPDX-License-Identifier: MIT
#include "grader/submission/temporary_folder.hpp"

#include <fstream>

#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("a temporary folder is private and goes with its owner",
          "[temporary_folder]") {
  std::filesystem::path path;
  {
    const TemporaryFolder folder(temporary_root(), "attngrade-test");
    path = folder.path();
    CHECK(std::filesystem::status(path).permissions() ==
          std::filesystem::perms::owner_all);
    std::ofstream(path / "file") << "x";
    std::filesystem::create_directories(path / "closed" / "inner");
    std::ofstream(path / "closed" / "inner" / "file") << "x";
    std::filesystem::permissions(path / "closed" / "inner",
                                 std::filesystem::perms::none);
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("two temporary folders do not share a name", "[temporary_folder]") {
  const TemporaryFolder one(temporary_root(), "attngrade-test");
  const TemporaryFolder other(temporary_root(), "attngrade-test");
  CHECK(one.path() != other.path());
}

TEST_CASE("a folder that cannot be made is the environment's failure",
          "[temporary_folder]") {
  try {
    const TemporaryFolder folder("/nonexistent/parent", "attngrade-test");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::environment);
    CHECK(std::string(error.what()).find("/nonexistent/parent") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace grader

TEST_CASE("all folders can be removed before the program ends at once",
          "[temporary_folder]") {
  const grader::TemporaryFolder first(grader::temporary_root(), "attngrade");
  const grader::TemporaryFolder second(grader::temporary_root(), "attngrade");
  grader::remove_temporaries();
  CHECK_FALSE(std::filesystem::exists(first.path()));
  CHECK_FALSE(std::filesystem::exists(second.path()));
}
