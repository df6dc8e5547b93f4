// SPDX-License-Identifier: MIT
#include "grader/submission/read_submission.hpp"

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/submission/temporary_folder.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

Submission written(const TemporaryFolder& folder, const std::string& name,
                   const std::string& bytes) {
  std::ofstream(folder.path() / name, std::ios::binary) << bytes;
  Submission submission;
  submission.path = folder.path() / name;
  submission.typed = "submissions/" + name;
  submission.file = name;
  submission.form = Form::python;
  return submission;
}

TEST_CASE("a submission is read as it is, and hashed", "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const std::string bytes("a\0b\r\n\xff", 6);
  Submission submission = written(folder, "a.py", bytes);
  read_submission(submission);
  CHECK_FALSE(submission.problem);
  REQUIRE(submission.files.size() == 1);
  CHECK(submission.files.front().bytes == bytes);
  CHECK(submission.sha256.size() == 64);
}

TEST_CASE("an empty file says so", "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "a.py", "");
  read_submission(submission);
  REQUIRE(submission.problem);
  CHECK(submission.problem->kind == ProblemKind::empty);
  CHECK(submission.problem->detail == "empty file");
}

TEST_CASE("a file over the limit is rejected without being read",
          "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "a.py", "x");
  fs::resize_file(submission.path, source_size_limit);
  read_submission(submission);
  CHECK_FALSE(submission.problem);
  fs::resize_file(submission.path, source_size_limit + 1);
  submission.files.clear();
  read_submission(submission);
  REQUIRE(submission.problem);
  CHECK(submission.problem->kind == ProblemKind::rejected);
  CHECK(submission.problem->detail ==
        "the file has 8388609 bytes, the limit for a source file is 8 MiB. "
        "Make it smaller");
  CHECK(submission.files.empty());
  submission.form = Form::notebook;
  submission.problem.reset();
  read_submission(submission);
  CHECK_FALSE(submission.problem);
  fs::resize_file(submission.path, notebook_size_limit + 1);
  read_submission(submission);
  REQUIRE(submission.problem);
  CHECK(submission.problem->detail ==
        "the file has 67108865 bytes, the limit for a notebook is 64 MiB. "
        "Clear its outputs and hand in again");
}

TEST_CASE("what became a link or a pipe after discovery is not opened",
          "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission link = written(folder, "a.py", "x");
  fs::remove(link.path);
  fs::create_symlink("/etc/passwd", link.path);
  read_submission(link);
  REQUIRE(link.problem);
  CHECK(link.problem->kind == ProblemKind::rejected);
  Submission pipe = written(folder, "b.py", "x");
  fs::remove(pipe.path);
  REQUIRE(mkfifo(pipe.path.c_str(), 0600) == 0);
  read_submission(pipe);
  REQUIRE(pipe.problem);
  CHECK(pipe.problem->kind == ProblemKind::rejected);
}

TEST_CASE("a file that is gone is unreadable, by the name that was typed",
          "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "a.py", "x");
  fs::remove(submission.path);
  read_submission(submission);
  REQUIRE(submission.problem);
  CHECK(submission.problem->kind == ProblemKind::unreadable);
  CHECK(submission.problem->detail.find("cannot read submissions/a.py: ") == 0);
}

TEST_CASE("a file without permission names its mode and owner",
          "[read_submission]") {
  if (geteuid() == 0) {
    return;  // root may read everything
  }
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "a.py", "x");
  fs::permissions(submission.path, fs::perms::none);
  read_submission(submission);
  REQUIRE(submission.problem);
  CHECK(submission.problem->kind == ProblemKind::unreadable);
  CHECK(submission.problem->detail.find("(mode 0000, owner ") !=
        std::string::npos);
}

TEST_CASE("an unsupported form is hashed, not kept", "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "a.txt", "PK");
  submission.problem = Problem{ProblemKind::unsupported, "a text"};
  read_submission(submission);
  CHECK(submission.problem->detail == "a text");
  CHECK(submission.sha256.size() == 64);
  CHECK(submission.files.empty());
}

TEST_CASE("the files of a folder are read, and hashed as sha256sum would",
          "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "b.py", "x = 1\n");
  written(folder, "a.py", "abc");
  written(folder, ".hidden", "not read");
  submission.path = folder.path();
  submission.form = Form::folder;
  read_submission(submission);
  CHECK_FALSE(submission.problem);
  REQUIRE(submission.files.size() == 2);
  CHECK(submission.files[0].name == "a.py");
  CHECK(submission.files[1].bytes == "x = 1\n");
  // sha256sum a.py b.py | sha256sum
  CHECK(submission.sha256 ==
        "c816d39f70e0c373e02bb3338c68ae73b9b3b2361079e540b5492ee7fb9b2918");
}

TEST_CASE("an archive is hashed as it is, also where it is rejected",
          "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "a.zip", "abc");
  submission.form = Form::archive;
  read_submission(submission);
  REQUIRE(submission.problem);
  CHECK(submission.problem->kind == ProblemKind::rejected);
  CHECK(submission.problem->detail ==
        "cannot be unpacked: Unrecognized archive format. Hand in a new .zip "
        "or .tar.gz");
  // FIPS 180-2, appendix B.1.
  CHECK(submission.sha256 ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("an archive has a limit of its own", "[read_submission]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  Submission submission = written(folder, "a.tar", "x");
  submission.form = Form::archive;
  fs::resize_file(submission.path, archive_size_limit + 1);
  read_submission(submission);
  REQUIRE(submission.problem);
  CHECK(submission.problem->detail ==
        "the file has 67108865 bytes, the limit for an archive is 64 MiB. "
        "Leave out what the function does not need");
}

}  // namespace
}  // namespace grader
