// SPDX-License-Identifier: MIT
#include "grader/system/file.hpp"

#include <fstream>
#include <stdlib.h>
#include <sys/stat.h>

#include "grader/system/error.hpp"
#include "tests/catch.hpp"

using namespace grader;

namespace {

std::string failure_of(const std::filesystem::path& path,
                       std::size_t max_bytes) {
  try {
    read_file(path, max_bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

class Folder {
 public:
  Folder() {
    std::string name = "/tmp/attngrade_file_test_XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const char* name) const {
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a file is read up to the largest size allowed", "[file]") {
  const Folder folder;
  const auto path = folder / "five";
  std::ofstream(path) << "12345";
  CHECK(read_file(path, 5) == "12345");
  CHECK(failure_of(path, 4) ==
        "cannot read " + path.string() + ": larger than 4 bytes");
}

TEST_CASE("what is no regular file is refused without waiting", "[file]") {
  const Folder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(failure_of(pipe, 5) ==
        "cannot read " + pipe.string() + ": not a regular file");
  CHECK(failure_of("/tmp", 5) == "cannot read /tmp: not a regular file");
  CHECK(failure_of("/dev/zero", 5) ==
        "cannot read /dev/zero: not a regular file");
  CHECK(failure_of("/no/such", 5) ==
        "cannot read /no/such: No such file or directory");
}
