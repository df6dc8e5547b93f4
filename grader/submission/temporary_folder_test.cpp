// SPDX-License-Identifier: MIT
#include "grader/submission/temporary_folder.hpp"

#include <chrono>
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

void make_old(const std::filesystem::path& folder) {
  std::filesystem::last_write_time(
      folder,
      std::filesystem::file_time_type::clock::now() - std::chrono::minutes(2));
}

TEST_CASE("what a killed process left behind is removed, and nothing else") {
  const TemporaryFolder parent(temporary_root(), "abandoned-test");
  const TemporaryFolder in_use(parent.path(), "attngrade");
  const auto left = parent.path() / "attngrade-AbC123";
  const auto fresh = parent.path() / "attngrade-FrEsH1";
  const auto longer = parent.path() / "attngrade-run-2024";
  const auto other = parent.path() / "somebody-AbC123";
  for (const auto& folder : {left, fresh, longer, other}) {
    std::filesystem::create_directories(folder / "deep");
  }
  const auto target = parent.path() / "target";
  std::filesystem::create_directory(target);
  const auto link = parent.path() / "attngrade-LiNk12";
  std::filesystem::create_directory_symlink(target, link);
  for (const auto& folder : {left, longer, other, target, in_use.path()}) {
    make_old(folder);
  }

  remove_abandoned(parent.path(), "attngrade");

  CHECK_FALSE(std::filesystem::exists(left));
  for (const auto& folder :
       {fresh, longer, other, target, link, in_use.path()}) {
    CAPTURE(folder);
    CHECK(std::filesystem::exists(folder));
  }
}

TEST_CASE("where nothing can be looked at nothing is removed") {
  CHECK_NOTHROW(remove_abandoned("/no/such/folder", "attngrade"));
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
