// SPDX-License-Identifier: MIT
#include "grader/submission/discover.hpp"

#include <cstring>
#include <fstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

class Fixture {
 public:
  const fs::path& path() const { return folder_.path(); }
  fs::path put(const std::string& name) const {
    fs::path file = path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "x = 1\n";
    return file;
  }

 private:
  TemporaryFolder folder_{temporary_root(), "attngrade-test"};
};

std::vector<std::string> files(const Discovery& discovery) {
  std::vector<std::string> names;
  for (const Submission& submission : discovery.submissions) {
    names.push_back(submission.file);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("a folder is a collection of the known forms, by the bytes of names",
          "[discover]") {
  const Fixture fixture;
  for (const char* name :
       {"b.py", "a.c", "C.cpp", "d.cc", "e.cxx", "f.so", "labels.jsonl",
        "README.md", "expected.json", "attngrade.h", ".hidden.py", "noending",
        "__pycache__/b.pyc", "sub/inner.md"}) {
    fixture.put(name);
  }
  const Discovery found = discover({fixture.path()});
  CHECK(files(found) == Names{"C.cpp", "a.c", "b.py", "d.cc", "e.cxx", "f.so"});
  CHECK(found.passed_over == Names{".hidden.py", "README.md", "__pycache__",
                                   "attngrade.h", "expected.json",
                                   "labels.jsonl", "noending", "sub"});
  CHECK(found.submissions[0].form == Form::cpp);
  CHECK(found.submissions[1].form == Form::c);
  CHECK(found.submissions[2].form == Form::python);
  CHECK(found.submissions[5].form == Form::library);
  for (const Submission& submission : found.submissions) {
    CHECK_FALSE(submission.problem);
  }
}

TEST_CASE("recursion goes deeper, but not into caches and environments",
          "[discover]") {
  const Fixture fixture;
  for (const char* name : {"a.py", "sub/b.py", "sub/deep/c.py", ".git/d.py",
                           "__pycache__/e.py", "venv/lib/f.py"}) {
    fixture.put(name);
  }
  fixture.put("venv/pyvenv.cfg");
  const Discovery found = discover({fixture.path()}, {.recursive = true});
  CHECK(files(found) == Names{"a.py", "sub/b.py", "sub/deep/c.py"});
  CHECK(found.passed_over == Names{".git", "__pycache__", "venv"});
  CHECK(found.submissions[1].typed == fixture.path() / "sub" / "b.py");
}

TEST_CASE("notebooks and archives are submissions", "[discover]") {
  const Fixture fixture;
  for (const char* name : {"a.ipynb", "b.zip", "c.tar.gz"}) {
    fixture.put(name);
  }
  const Discovery found = discover({fixture.path()});
  REQUIRE(found.submissions.size() == 3);
  for (const Submission& submission : found.submissions) {
    CHECK_FALSE(submission.problem);
  }
  CHECK(found.submissions[0].form == Form::notebook);
  CHECK(found.submissions[1].form == Form::archive);
  CHECK(found.submissions[2].form == Form::archive);
}

TEST_CASE("a subfolder that holds a candidate at any depth is a submission",
          "[discover]") {
  const Fixture fixture;
  for (const char* name :
       {"ana/attention.py", "ben/src/deep/attention.c", "cid/notes.md",
        "dora/.git/hook.py", "dora/venv/a.py", "eve/mine/pyvenv.cfg",
        "eve/mine/a.py", "fay/old.zip", "fay/notes.md", "__pycache__/a.py",
        "build/a.py", "env1/pyvenv.cfg", "env1/a.py", "z.py"}) {
    fixture.put(name);
  }
  const Discovery found = discover({fixture.path()});
  CHECK(files(found) == Names{"ana", "ben", "z.py"});
  CHECK(found.passed_over ==
        Names{"__pycache__", "build", "cid", "dora", "env1", "eve", "fay"});
  CHECK(found.submissions[0].form == Form::folder);
  CHECK(found.submissions[0].path == fixture.path() / "ana");
  CHECK(found.submissions[0].typed == fixture.path() / "ana");
  CHECK_FALSE(found.submissions[0].problem);
}

TEST_CASE("a subfolder that holds only one archive is that archive",
          "[discover]") {
  const Fixture fixture;
  for (const char* name :
       {"ana/attention.zip", "ana/.DS_Store", "ana/__MACOSX/x", "ben/a.zip",
        "ben/b.tar.gz", "cid/a.zip", "cid/notes.md", "dora/a.zip", "dora/a.py",
        "eve/.a.zip", "fay/a.zip/x.md"}) {
    fixture.put(name);
  }
  fs::create_directory(fixture.path() / "gil");
  fs::create_symlink("/etc/passwd", fixture.path() / "gil" / "a.tgz");
  const Discovery found = discover({fixture.path()});
  REQUIRE(files(found) == Names{"ana/attention.zip", "dora", "gil/a.tgz"});
  CHECK(found.passed_over == Names{"ben", "cid", "eve", "fay"});
  const Submission& ana = found.submissions[0];
  CHECK(ana.form == Form::archive);
  CHECK(ana.path == fs::canonical(fixture.path()) / "ana" / "attention.zip");
  CHECK(ana.typed == fixture.path() / "ana" / "attention.zip");
  CHECK_FALSE(ana.problem);
  CHECK(found.submissions[2].problem->kind == ProblemKind::rejected);
}

TEST_CASE("a subfolder with too much to look through is not passed over",
          "[discover]") {
  const Fixture fixture;
  fixture.put("ana/0");
  for (int i = 1; i < 20000; ++i) {
    std::ofstream(fixture.path() / "ana" / std::to_string(i));
  }
  CHECK(files(discover({fixture.path()})).empty());
  fixture.put("ana/20000");
  CHECK(files(discover({fixture.path()})) == Names{"ana"});
}

TEST_CASE("a subfolder that cannot be read is not passed over", "[discover]") {
  if (geteuid() == 0) {
    return;  // root may read everything
  }
  const Fixture fixture;
  fixture.put("ana/notes.md");
  fixture.put("ben/sub/notes.md");
  fs::permissions(fixture.path() / "ana", fs::perms::none);
  fs::permissions(fixture.path() / "ben" / "sub", fs::perms::none);
  CHECK(files(discover({fixture.path()})) == Names{"ana", "ben"});
  CHECK(files(discover({fixture.path()}, {.recursive = true})) ==
        Names{"ana", "ben/sub"});
  for (const char* name : {"ana", "ben/sub"}) {
    fs::permissions(fixture.path() / name, fs::perms::owner_all);
  }
}

TEST_CASE("a subfolder is searched as deep as it is read", "[discover]") {
  const Fixture fixture;
  fixture.put("deep/1/2/3/4/5/6/7/8/a.py");
  fixture.put("deeper/1/2/3/4/5/6/7/8/9/a.py");
  CHECK(files(discover({fixture.path()})) == Names{"deep"});
}

TEST_CASE("a trap named like a candidate is not passed over in silence",
          "[discover]") {
  const Fixture fixture;
  fs::create_directory(fixture.path() / "ana");
  fs::create_symlink("/etc/passwd", fixture.path() / "ana" / "attention.py");
  fs::create_directory_symlink("/", fixture.path() / "ben");
  fs::create_directory(fixture.path() / "cid");
  fs::create_directory_symlink("..", fixture.path() / "cid" / "loop");
  const Discovery found = discover({fixture.path()});
  CHECK(files(found) == Names{"ana"});
  CHECK(found.passed_over == Names{"ben", "cid"});
}

TEST_CASE("a typed folder is one submission where that is asked for",
          "[discover]") {
  const Fixture fixture;
  const fs::path file = fixture.put("ana/attention.py");
  fixture.put("ana/sub/helper.py");
  fixture.put("x.py/inner.py");
  const DiscoverOptions as_one{.recursive = false, .as_one = true};
  const fs::path ana = fixture.path() / "ana";
  for (const fs::path& typed : {ana, ana / "", ana / "."}) {
    const Discovery found = discover({typed}, as_one);
    REQUIRE(files(found) == Names{"ana"});
    CHECK(found.submissions[0].form == Form::folder);
    CHECK(found.submissions[0].path == fs::canonical(ana));
    CHECK_FALSE(found.submissions[0].problem);
  }
  CHECK(files(discover({file}, as_one)) == Names{"attention.py"});
  CHECK(discover({fixture.path() / "x.py"}, as_one).submissions[0].form ==
        Form::folder);
}

TEST_CASE("a typed file of an unknown form is not dropped", "[discover]") {
  const Fixture fixture;
  const Discovery found = discover({fixture.put("notes.txt")});
  REQUIRE(found.submissions.size() == 1);
  CHECK(found.submissions[0].problem->kind == ProblemKind::unsupported);
}

TEST_CASE("a path that does not exist is a usage error that names it",
          "[discover]") {
  try {
    discover({"/nonexistent/x.py"});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::usage);
    CHECK(std::string(error.what()).find("cannot read /nonexistent/x.py: ") ==
          0);
  }
}

TEST_CASE("nothing found is an empty list", "[discover]") {
  const Fixture fixture;
  CHECK(discover({fixture.path()}, {.recursive = true}).submissions.empty());
  CHECK(discover({}).submissions.empty());
}

TEST_CASE("the same file typed twice, or typed and in a folder, counts once",
          "[discover]") {
  const Fixture fixture;
  const fs::path file = fixture.put("a.py");
  const Discovery found =
      discover({file, fixture.path(), fixture.path() / "." / "a.py"});
  CHECK(files(found) == Names{"a.py"});
}

TEST_CASE("two files of one name are told apart by the path as typed",
          "[discover]") {
  const Fixture fixture;
  const fs::path one = fixture.put("ana/attention.py");
  const fs::path other = fixture.put("ben/attention.py");
  const fs::path third = fixture.put("ben/third.py");
  CHECK(files(discover({one, other, third})) ==
        Names{one.string(), other.string(), "third.py"});
}

TEST_CASE("what is named like a file but is none is rejected", "[discover]") {
  const Fixture fixture;
  fs::create_directory(fixture.path() / "folder.py");
  fs::create_symlink("/etc/passwd", fixture.path() / "link.py");
  REQUIRE(mkfifo((fixture.path() / "pipe.py").c_str(), 0600) == 0);
  const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (fixture.path() / "socket.py").string();
  REQUIRE(name.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, name.c_str(), name.size());
  REQUIRE(bind(socket_number, reinterpret_cast<const sockaddr*>(&address),
               sizeof address) == 0);
  close(socket_number);
  const Discovery found = discover({fixture.path()}, {.recursive = true});
  REQUIRE(files(found) ==
          Names{"folder.py", "link.py", "pipe.py", "socket.py"});
  for (const Submission& submission : found.submissions) {
    REQUIRE(submission.problem);
    CHECK(submission.problem->kind == ProblemKind::rejected);
  }
  CHECK(found.submissions[0].problem->detail == "a directory, not a file");
  CHECK(found.submissions[1].problem->detail.find("a symbolic link") == 0);
  CHECK(found.submissions[2].problem->detail.find("a named pipe") == 0);
  CHECK(found.submissions[3].problem->detail.find("a socket") == 0);
}

TEST_CASE("a typed directory named like a source is rejected too",
          "[discover]") {
  const Fixture fixture;
  fixture.put("x.py/inner.py");
  const Discovery found = discover({fixture.path() / "x.py"});
  REQUIRE(files(found) == Names{"x.py"});
  CHECK(found.submissions[0].problem->kind == ProblemKind::rejected);
}

TEST_CASE("a typed symbolic link is followed once", "[discover]") {
  const Fixture fixture;
  const fs::path file = fixture.put("real/a.py");
  fs::create_symlink(file, fixture.path() / "ana.py");
  fs::create_directory_symlink(fixture.path() / "real",
                               fixture.path() / "class");
  const Discovery found = discover({fixture.path() / "ana.py"});
  REQUIRE(files(found) == Names{"ana.py"});
  CHECK(found.submissions[0].path == fs::canonical(file));
  CHECK_FALSE(found.submissions[0].problem);
  CHECK(files(discover({fixture.path() / "class"})) == Names{"a.py"});
}

TEST_CASE("names are bytes", "[discover]") {
  const Fixture fixture;
  const Names names = {"-rf.py", "a b\n.py", "caf\xe9.py",
                       "\xf0\x9f\x8d\x8c.c"};
  for (const std::string& name : names) {
    fixture.put(name);
  }
  CHECK(files(discover({fixture.path()})) == names);
}

}  // namespace
}  // namespace grader
