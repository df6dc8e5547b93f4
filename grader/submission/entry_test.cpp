// SPDX-License-Identifier: MIT
#include "grader/submission/entry.hpp"

#include <sys/stat.h>

#include "tests/catch.hpp"

namespace grader {
namespace {

std::string plain(std::string_view stored) {
  const auto name = plain_name(stored);
  const auto* problem = std::get_if<Problem>(&name);
  return problem == nullptr ? std::get<std::string>(name)
                            : "rejected: " + problem->detail;
}

TEST_CASE("a name loses what changes nothing", "[entry]") {
  CHECK(plain("a.py") == "a.py");
  CHECK(plain("./a.py") == "a.py");
  CHECK(plain("ana//sub/./a.py") == "ana/sub/a.py");
  CHECK(plain("ana\\sub\\a.py") == "ana/sub/a.py");
  CHECK(plain("ana/") == "ana");
  CHECK(plain("./").empty());
  CHECK(plain("").empty());
  CHECK(plain("caf\xe9 \xf0\x9f\x8d\x8c.py") == "caf\xe9 \xf0\x9f\x8d\x8c.py");
  CHECK(plain("..a/...") == "..a/...");
}

TEST_CASE("a name that leads out of its folder is rejected", "[entry]") {
  CHECK(plain("ana/../../x.py") ==
        "rejected: ana/../../x.py: \"..\" leads out of the folder. Make the "
        "archive anew, inside of the folder that you hand in");
  for (const char* name : {"..", "../x.py", "a/..", "..\\x.py", "a\\..\\b"}) {
    INFO(name);
    CHECK(plain(name).find("\"..\" leads out") != std::string::npos);
  }
  for (const char* name : {"/etc/passwd", "\\x.py", "//server/x.py",
                           "\\\\server\\x.py", "C:\\x.py", "c:/x.py", "C:x"}) {
    INFO(name);
    CHECK(plain(name).find(": an absolute name.") != std::string::npos);
  }
}

TEST_CASE("names have limits and no control characters", "[entry]") {
  CHECK_FALSE(check_name("sub/caf\xe9.py"));
  CHECK_FALSE(check_name(std::string(255, 'x') + "/" + std::string(255, 'x')));
  CHECK(check_name("sub/" + std::string(256, 'x')));
  for (const char* name : {"a\nb.py", "a\x1b[31m.py", "a\x7f.py", "\t"}) {
    const auto problem = check_name(name);
    REQUIRE(problem);
    CHECK(problem->kind == ProblemKind::rejected);
    CHECK(problem->detail.find('\x1b') == std::string::npos);
  }
  CHECK(plain(std::string(1024, 'x')) == std::string(1024, 'x'));
  CHECK(plain(std::string(1025, 'x')).find("rejected: ") == 0);
  CHECK_FALSE(check_length(std::string(1024, 'x')));
  CHECK(check_length(std::string(1025, 'x')));
}

TEST_CASE("what is no file is named", "[entry]") {
  CHECK_FALSE(why_no_file(S_IFREG | 0600));
  CHECK(why_no_file(S_IFLNK | 0777)->find("a symbolic link") == 0);
  CHECK(why_no_file(S_IFCHR) == "a device, not a file: leave it out");
  CHECK(why_no_file(0) == "not an ordinary file: leave it out");
}

}  // namespace
}  // namespace grader
