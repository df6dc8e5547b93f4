// SPDX-License-Identifier: MIT
#include "grader/output_file.hpp"

#include <fstream>
#include <iterator>

#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

using grader::OutputFile;
using grader::TemporaryFolder;

namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder),
                    std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a file appears whole when it is committed", "[output_file]") {
  const TemporaryFolder folder(grader::temporary_root(), "output-file");
  const std::filesystem::path file = folder.path() / "results.json";
  OutputFile output(file);
  CHECK_FALSE(std::filesystem::exists(file));
  output.commit("{}\n");
  CHECK(content(file) == "{}\n");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("an old file stays as it is when nothing is committed",
          "[output_file]") {
  const TemporaryFolder folder(grader::temporary_root(), "output-file");
  const std::filesystem::path file = folder.path() / "results.json";
  OutputFile(file).commit("old");
  { const OutputFile abandoned(file); }
  CHECK(content(file) == "old");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a symbolic link keeps pointing to the written file",
          "[output_file]") {
  const TemporaryFolder folder(grader::temporary_root(), "output-file");
  std::filesystem::create_symlink("target", folder.path() / "link");
  OutputFile(folder.path() / "target").commit("old");
  OutputFile(folder.path() / "link").commit("new");
  CHECK(std::filesystem::is_symlink(folder.path() / "link"));
  CHECK(content(folder.path() / "target") == "new");
}

TEST_CASE("a bad path is a usage error at once", "[output_file]") {
  const TemporaryFolder folder(grader::temporary_root(), "output-file");
  for (const std::filesystem::path& file :
       {folder.path(), folder.path() / "no" / "such" / "folder.json"}) {
    try {
      const OutputFile output(file);
      FAIL("no error");
    } catch (const grader::Error& error) {
      CHECK(error.blame() == grader::Blame::usage);
      CHECK(std::string(error.what()).starts_with("cannot write "));
    }
  }
}

TEST_CASE("a device is written directly", "[output_file]") {
  OutputFile("/dev/null").commit("gone");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}
