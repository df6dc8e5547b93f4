// SPDX-License-Identifier: MIT
#include "grader/submission/read_folder.hpp"

#include <cstring>
#include <fstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "grader/submission/temporary_folder.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

class FolderToRead {
 public:
  const fs::path& path() const { return folder_.path(); }
  fs::path put(const std::string& name,
               const std::string& bytes = "x = 1\n") const {
    fs::path file = path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  TemporaryFolder folder_{temporary_root(), "attngrade-test"};
};

using Names = std::vector<std::string>;

Names names_read(const FilesOrProblem& read) {
  Names found;
  for (const SourceFile& file : std::get<std::vector<SourceFile>>(read)) {
    found.push_back(file.name);
  }
  return found;
}

std::string complaint_about(const FilesOrProblem& read,
                            ProblemKind kind = ProblemKind::rejected) {
  const auto& problem = std::get<Problem>(read);
  CHECK(problem.kind == kind);
  return problem.detail;
}

TEST_CASE("a folder is its files, by the bytes of their names",
          "[read_folder]") {
  const FolderToRead fixture;
  fixture.put("b.py", std::string("a\0b\r\n\xff", 6));
  for (const char* name :
       {"a.py", "C.py", "sub/deep/helper.py", "sub.py", "README.md",
        "caf\xe9.py", "tests/test_a.py", "empty/x/y.txt"}) {
    fixture.put(name);
  }
  fs::create_directory(fixture.path() / "hollow");
  const FilesOrProblem read = read_folder(fixture.path());
  CHECK(names_read(read) == Names{"C.py", "README.md", "a.py", "b.py",
                                  "caf\xe9.py", "empty/x/y.txt", "sub.py",
                                  "sub/deep/helper.py", "tests/test_a.py"});
  CHECK(std::get<std::vector<SourceFile>>(read)[3].bytes ==
        std::string("a\0b\r\n\xff", 6));
}

TEST_CASE("clutter is not looked into, whatever is in it", "[read_folder]") {
  const FolderToRead fixture;
  fixture.put("a.py");
  fixture.put(".git/config");
  fixture.put("__pycache__/a.pyc");
  fixture.put("mine/pyvenv.cfg");
  fixture.put(".huge", std::string(source_size_limit + 1, 'x'));
  for (const char* name : {".git/link", "mine/python", ".link"}) {
    fs::create_symlink("/etc/passwd", fixture.path() / name);
  }
  fixture.put("venv/1/2/3/4/5/6/7/8/9/10/a.py");
  CHECK(names_read(read_folder(fixture.path())) == Names{"a.py"});
}

TEST_CASE("a link spoils a folder, and is named", "[read_folder]") {
  const FolderToRead fixture;
  fixture.put("sub/a.py");
  fs::create_symlink("/etc/passwd", fixture.path() / "sub" / "link.py");
  CHECK(complaint_about(read_folder(fixture.path())) ==
        "sub/link.py: a symbolic link, not a file: hand in the file itself");
  fs::remove(fixture.path() / "sub" / "link.py");
  fs::create_directory_symlink("..", fixture.path() / "sub" / "loop");
  CHECK(complaint_about(read_folder(fixture.path()))
            .find("sub/loop: a symbolic") == 0);
}

TEST_CASE("a pipe, a socket or a device is neither opened nor waited for",
          "[read_folder]") {
  const FolderToRead pipe;
  REQUIRE(mkfifo((pipe.path() / "pipe.py").c_str(), 0600) == 0);
  CHECK(complaint_about(read_folder(pipe.path())) ==
        "pipe.py: a named pipe, not a file: leave it out");
  const FolderToRead other;
  const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (other.path() / "socket.py").string();
  REQUIRE(name.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, name.c_str(), name.size());
  REQUIRE(bind(socket_number, reinterpret_cast<const sockaddr*>(&address),
               sizeof address) == 0);
  close(socket_number);
  CHECK(complaint_about(read_folder(other.path())) ==
        "socket.py: a socket, not a file: leave it out");
}

TEST_CASE("a folder that became a link is not followed", "[read_folder]") {
  const FolderToRead fixture;
  fixture.put("real/a.py");
  fs::create_directory_symlink("real", fixture.path() / "link");
  const std::string text = complaint_about(read_folder(fixture.path() / "link"),
                                           ProblemKind::unreadable);
  CHECK(text.find("cannot read the folder: ") == 0);
  CHECK(complaint_about(read_folder(fixture.path() / "gone"),
                        ProblemKind::unreadable)
            .find("cannot read the folder: No such file") == 0);
}

TEST_CASE("hard links are two files", "[read_folder]") {
  const FolderToRead fixture;
  fs::create_hard_link(fixture.put("a.py"), fixture.path() / "b.py");
  CHECK(names_read(read_folder(fixture.path())) == Names{"a.py", "b.py"});
}

TEST_CASE("a control character in a name spoils a folder", "[read_folder]") {
  const FolderToRead fixture;
  fixture.put("a\x1b[31m.py");
  CHECK(complaint_about(read_folder(fixture.path())) ==
        "a\\x1b[31m.py: a control character in the name: rename it and hand in "
        "again");
}

TEST_CASE("a folder without files says so", "[read_folder]") {
  const FolderToRead fixture;
  CHECK(complaint_about(read_folder(fixture.path()), ProblemKind::empty) ==
        "holds no file");
  fixture.put(".git/config");
  CHECK(complaint_about(read_folder(fixture.path()), ProblemKind::empty) ==
        "holds no file, apart from what is ignored (.git)");
}

TEST_CASE("a file of a folder has a limit, a library a larger one",
          "[read_folder]") {
  const FolderToRead fixture;
  const ReadLimits limits{.source = 100, .library = 200};
  const fs::path source = fixture.put("a.py", std::string(100, 'x'));
  const fs::path library = fixture.put("a.so", std::string(200, 'x'));
  CHECK(names_read(read_folder(fixture.path(), limits)).size() == 2);
  fs::resize_file(library, 201);
  CHECK(complaint_about(read_folder(fixture.path(), limits)) ==
        "a.so: more than 200 bytes, the limit for a shared library. Make it "
        "smaller");
  fs::resize_file(source, source_size_limit + 1);
  CHECK(complaint_about(read_folder(fixture.path())) ==
        "a.py: more than 8 MiB, the limit for a source file. Make it smaller");
}

TEST_CASE("a notebook may be larger than other files, for its outputs",
          "[read_folder]") {
  const FolderToRead fixture;
  const fs::path notebook = fixture.put("a.ipynb", "{}");
  fs::resize_file(notebook, source_size_limit + 1);
  CHECK(names_read(read_folder(fixture.path())) == Names{"a.ipynb"});
  fixture.put("photo.png", std::string(100, 'x'));
  CHECK(complaint_about(read_folder(fixture.path(), {.notebook = 99})) ==
        "a.ipynb: more than 99 bytes, the limit for a notebook. Clear its "
        "outputs and hand in again");
  CHECK(complaint_about(read_folder(fixture.path(), {.source = 99})) ==
        "photo.png: more than 99 bytes, the limit for a file. Leave it out");
}

TEST_CASE("the files of a folder have a limit together", "[read_folder]") {
  const FolderToRead fixture;
  for (const char* name : {"a", "b", "c"}) {
    fixture.put(name, std::string(10, 'x'));
  }
  CHECK(names_read(read_folder(fixture.path(), {.total = 30, .files = 3}))
            .size() == 3);
  CHECK(complaint_about(read_folder(fixture.path(), {.total = 29})) ==
        "c: with it the files are more than 29 bytes. Leave out what the "
        "function does not need");
  CHECK(complaint_about(read_folder(fixture.path(), {.files = 2})) ==
        "c: more than 2 files. Leave out what the function does not need");
  CHECK(complaint_about(read_folder(fixture.path(), {.entries = 2}))
            .find(": more than 2 files and folders. Hand in the code only") !=
        std::string::npos);
}

TEST_CASE("a folder may be eight folders deep", "[read_folder]") {
  const FolderToRead fixture;
  fixture.put("1/2/3/4/5/6/7/8/a.py");
  CHECK(names_read(read_folder(fixture.path())) ==
        Names{"1/2/3/4/5/6/7/8/a.py"});
  fixture.put("1/2/3/4/5/6/7/8/9/a.py");
  CHECK(complaint_about(read_folder(fixture.path())) ==
        "1/2/3/4/5/6/7/8/9/: more than 8 folders deep. Move the code further "
        "up");
}

TEST_CASE("a part of a folder without permission is named", "[read_folder]") {
  if (geteuid() == 0) {
    return;  // root may read everything
  }
  const FolderToRead fixture;
  fs::permissions(fixture.put("a.py"), fs::perms::none);
  CHECK(complaint_about(read_folder(fixture.path()), ProblemKind::unreadable) ==
        "cannot read a.py: Permission denied");
}

TEST_CASE("ten thousand files of a folder are rejected", "[read_folder]") {
  const FolderToRead fixture;
  for (int i = 0; i < 10000; ++i) {
    std::ofstream(fixture.path() / (std::to_string(i) + ".py"));
  }
  CHECK(complaint_about(read_folder(fixture.path()))
            .find("more than 1000 files") != std::string::npos);
}

}  // namespace
}  // namespace grader
