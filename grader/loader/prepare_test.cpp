// SPDX-License-Identifier: MIT
#include "grader/loader/prepare.hpp"

#include <algorithm>
#include <fstream>

#include "grader/loader/adapter.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

struct Preparing {
  TemporaryFolder folder{temporary_root(), "attngrade-test"};
  LoaderContext context;

  Preparing() {
    context.interpreters = std::make_shared<Interpreters>("");
    context.compilers = find_compilers();
    context.python_host =
        std::string(PROJECT_SOURCE_DIR) + "/grader/worker/attngrade_host";
    context.native_host = "/opt/native_host";
    context.include_folder = std::string(PROJECT_SOURCE_DIR) + "/include";
    context.scratch = folder.path();
  }

  Preparation run(const std::string& file, Form form,
                  const std::string& bytes) const {
    Submission submission;
    submission.file = file;
    submission.form = form;
    submission.files = {{file, bytes}};
    return prepare(submission, context);
  }

  Preparation run_folder(const std::vector<SourceFile>& files) const {
    Submission submission;
    submission.file = "ana";
    submission.form = Form::folder;
    submission.files = files;
    return prepare(submission, context);
  }

  std::size_t staged() const {
    return static_cast<std::size_t>(std::distance(
        fs::directory_iterator(folder.path()), fs::directory_iterator()));
  }
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("a Python file is staged alone, under its own name", "[prepare]") {
  const Preparing bench;
  {
    const Preparation preparation =
        bench.run("my attention-v2.py", Form::python, "x = 1\n");
    const auto& program = std::get<Program>(preparation);
    CHECK(program.language == Language::python);
    CHECK(program.argv ==
          std::vector<std::string>{
              program.interpreter->executable.string(), "-s", "-B",
              (bench.context.python_host / "start.py").string()});
    CHECK(program.root == program.submission.parent_path());
    CHECK(program.submission.filename() == "my attention-v2.py");
    CHECK(contents(program.submission) == "x = 1\n");
    CHECK(
        std::distance(fs::directory_iterator(program.submission.parent_path()),
                      fs::directory_iterator()) == 1);
    CHECK(fs::is_empty(program.working_directory));
    CHECK(bench.staged() == 1);
  }
  CHECK(bench.staged() == 0);
}

TEST_CASE("an adapter goes with what is in Python, and with nothing else",
          "[prepare]") {
  Preparing bench;
  Adapter adapter{.file = {"/f/tasks/adapter.py", "adapter.py", ""}};
  adapter.asks_for = {"mix"};
  adapter.callables.emplace_back().name = "attention";
  bench.context.adapter = std::make_shared<const Adapter>(adapter);
  const Preparation python = bench.run("ana.py", Form::python, "x = 1\n");
  CHECK(std::get<Program>(python).adapter == bench.context.adapter);
  const Preparation library = bench.run("ana.so", Form::library, "");
  const auto* native = std::get_if<Program>(&library);
  CHECK((native == nullptr || native->adapter == nullptr));
}

TEST_CASE("where no file is what an adapter asks for, nobody is to blame",
          "[prepare]") {
  Preparing bench;
  bench.context.python_host =
      PROJECT_SOURCE_DIR "/grader/worker/attngrade_host";
  Adapter adapter{.file = {"/f/tasks/adapter.py", "adapter.py", ""}};
  adapter.asks_for = {"mix"};
  adapter.callables.emplace_back().name = "attention";
  bench.context.adapter = std::make_shared<const Adapter>(adapter);
  const auto chosen = [&](const std::vector<SourceFile>& files) {
    const Preparation preparation = bench.run_folder(files);
    const auto* program = std::get_if<Program>(&preparation);
    return program != nullptr ? program->submission.filename().string()
                              : std::get<CannotGrade>(preparation).detail;
  };
  CHECK(chosen({{"a.py", "x = 1\n"}, {"b.py", "mix = 2\n"}}) == "b.py");
  CHECK(chosen({{"a.py", "x = 1\n"}, {"b.py", "y = 2\n"}})
            .find("asks for (`mix`): name the file, --entry FILE:attention") !=
        std::string::npos);
}

TEST_CASE("names that would need escaping are replaced", "[prepare]") {
  const Preparing bench;
  for (const char* name : {"caf\xe9.py", "a\nb.py", "\x1b[2J.py"}) {
    const Preparation preparation = bench.run(name, Form::python, "x");
    CHECK(std::get<Program>(preparation).submission.filename() ==
          "submission.py");
  }
  const Preparation nested = bench.run("sub/deep/a.py", Form::python, "x");
  CHECK(std::get<Program>(nested).submission.filename() == "a.py");
}

TEST_CASE("the environment is built from nothing", "[prepare]") {
  const Preparing bench;
  const Preparation preparation = bench.run("a.py", Form::python, "x");
  const auto& program = std::get<Program>(preparation);
  const auto has = [&](const std::string& variable) {
    return std::ranges::find(program.environment, variable) !=
           program.environment.end();
  };
  CHECK(has("HOME=" + program.working_directory.string()));
  CHECK(has("OMP_NUM_THREADS=1"));
  CHECK(has("PYTHONHASHSEED=0"));
  CHECK(program.environment.size() <= 17);
}

TEST_CASE("without numpy no Python file is graded, and none is blamed",
          "[prepare]") {
  Preparing bench;
  bench.context.interpreters = std::make_shared<Interpreters>(
      std::vector<InterpreterPtr>{std::make_shared<const Interpreter>(
          Interpreter{"/usr/bin/python3", "3.11.2", "", {}, {}})});
  const Preparation preparation = bench.run("a.py", Form::python, "x");
  const auto& obstacle = std::get<CannotGrade>(preparation);
  CHECK(obstacle.kind == "environment");
  CHECK(obstacle.detail.find("needs numpy") == 0);
}

TEST_CASE("tensors of a library that no interpreter has cannot be passed",
          "[prepare]") {
  Preparing bench;
  auto known = std::make_shared<Interpreter>();
  known->executable = "/usr/bin/python3";
  known->version = "3.11.2";
  known->numpy = "2.4.0";
  bench.context.interpreters =
      std::make_shared<Interpreters>(std::vector<InterpreterPtr>{known});
  bench.context.match.framework = Framework::torch;
  const Preparation preparation = bench.run(
      "attention.py", Form::python, "def attention(q, k, v): return q\n");
  const auto& obstacle = std::get<CannotGrade>(preparation);
  CHECK(obstacle.kind == "environment");
  CHECK(obstacle.detail ==
        "--framework torch needs torch; the interpreter does not have it\n"
        "    /usr/bin/python3 (Python 3.11.2, numpy 2.4.0)\n"
        "    name another: --python PATH");
}

TEST_CASE("without the program that calls C nobody is blamed", "[prepare]") {
  Preparing bench;
  bench.context.native_host.clear();
  const auto obstacle = std::get<CannotGrade>(bench.run(
      "a.cpp", Form::cpp, "extern \"C\" int attention() { return 0; }\n"));
  CHECK(obstacle.kind == "environment");
  CHECK(obstacle.detail.find("attngrade doctor") != std::string::npos);
}

TEST_CASE("a source becomes a library with its symbols", "[prepare]") {
  const Preparing bench;
  const Preparation preparation = bench.run(
      "a.cpp", Form::cpp, "extern \"C\" int attention() { return 0; }\n");
  const auto& program = std::get<Program>(preparation);
  CHECK(program.language == Language::native);
  CHECK(program.argv == std::vector<std::string>{"/opt/native_host"});
  CHECK(program.symbols == std::vector<std::string>{"attention"});
  CHECK(fs::exists(program.submission));
  const Preparation again =
      bench.run("b.so", Form::library, contents(program.submission));
  const auto& library = std::get<Program>(again);
  CHECK(library.symbols == std::vector<std::string>{"attention"});
  CHECK(library.submission.filename() == "b.so");
}

TEST_CASE("a source that does not compile leaves nothing behind", "[prepare]") {
  const Preparing bench;
  const Preparation preparation = bench.run("a.c", Form::c, "int f( {");
  CHECK(std::get<LoadFailure>(preparation).kind == "compile");
  CHECK(bench.staged() == 0);
}

TEST_CASE("a folder of sources becomes one library", "[prepare]") {
  const Preparing bench;
  const Preparation preparation = bench.run_folder(
      {{"src/a.c", "#include \"h.h\"\nint attention(void) { return f(); }\n"},
       {"src/f.cc", "#include \"h.h\"\nint f(void) { return 1; }\n"},
       {"include/h.h",
        "#ifdef __cplusplus\nextern \"C\"\n#endif\nint f(void);\n"},
       {"README.md", "hello"}});
  const auto& program = std::get<Program>(preparation);
  std::vector<std::string> symbols = program.symbols;
  std::ranges::sort(symbols);
  CHECK(symbols == std::vector<std::string>{"attention", "f"});
}

TEST_CASE("of a folder without a source its one library is loaded",
          "[prepare]") {
  const Preparing bench;
  const Preparation compiled =
      bench.run("a.c", Form::c, "int attention(void) { return 0; }\n");
  const std::string bytes = contents(std::get<Program>(compiled).submission);
  const Preparation preparation =
      bench.run_folder({{"README", "x"}, {"lib/libattention.so", bytes}});
  const auto& program = std::get<Program>(preparation);
  CHECK(program.symbols == std::vector<std::string>{"attention"});
  CHECK(program.submission.filename() == "libattention.so");
  CHECK(contents(program.submission) == bytes);
  const Preparation two = bench.run_folder({{"a.so", bytes}, {"b.so", bytes}});
  CHECK(std::get<LoadFailure>(two).detail ==
        "several shared libraries and no source: a.so, b.so. Hand in one of "
        "them");
  const Preparation broken = bench.run_folder({{"a.so", "MZ"}});
  CHECK(std::get<LoadFailure>(broken).kind == "library");
}

TEST_CASE("two programs in one folder are told by their names", "[prepare]") {
  const Preparing bench;
  const std::string text = "int main(void) { return 0; }\n";
  const Preparation preparation =
      bench.run_folder({{"demo/a.c", text}, {"b.c", text}, {"c.c", ""}});
  const std::string& detail = std::get<LoadFailure>(preparation).detail;
  CHECK(detail.find("more than one file defines main: demo/a.c, b.c.") == 0);
  const std::string function = "int attention(void) { return 0; }\n";
  const Preparation versions = bench.run_folder(
      {{"v1.c", function}, {"v2.cpp", "extern \"C\" " + function}});
  CHECK(std::get<LoadFailure>(versions).detail.find("v1.c, v2.cpp are "
                                                    "compiled into one") !=
        std::string::npos);
  CHECK(bench.staged() == 0);
}

TEST_CASE("what was left aside is named where it is missed", "[prepare]") {
  const Preparing bench;
  const SourceFile helper = {"test_f.c",
                             "int f(void) { return 0; }\n"
                             "int main(void) { return f(); }\n"};
  const Preparation unlinked = bench.run_folder(
      {{"attention.c", "int f(void);\nint attention(void) { return f(); }\n"},
       helper});
  CHECK(std::get<LoadFailure>(unlinked).detail.find(
            "something is missing in what was compiled: attention.c. Left "
            "aside: test_f.c (a test, by its name).") == 0);
  const Preparation linked = bench.run_folder(
      {{"attention.c", "int attention(void) { return 0; }\n"}, helper});
  CHECK(std::get<Program>(linked).left_aside ==
        "test_f.c (a test, by its name)");
}

TEST_CASE("a folder with Python that defines nothing is native where it can be",
          "[prepare]") {
  const Preparing bench;
  const Preparation preparation =
      bench.run_folder({{"attention.c", "int attention(void) { return 0; }\n"},
                        {"plot.py", "import numpy\n"},
                        {"test_attention.py", ""}});
  CHECK(std::get<Program>(preparation).language == Language::native);
}

TEST_CASE("the one Python file of a folder is the submission, tests aside",
          "[prepare]") {
  const Preparing bench;
  const Preparation preparation = bench.run_folder(
      {{"README.md", "x"}, {"sub/a.py", "x = 1\n"}, {"tests/test_a.py", ""}});
  const auto& program = std::get<Program>(preparation);
  CHECK(program.submission == program.root / "sub" / "a.py");
  CHECK(fs::exists(program.root / "tests" / "test_a.py"));
  const Preparation only_tests =
      bench.run_folder({{"tests/test_a.py", "x = 1\n"}});
  CHECK(std::get<Program>(only_tests).submission.filename() == "test_a.py");
}

TEST_CASE("a notebook that is none does not stand in the way of others",
          "[prepare]") {
  const Preparing bench;
  const Preparation preparation =
      bench.run_folder({{"a.py", "x = 1\n"}, {"b.ipynb", "{"}});
  CHECK(std::get<Program>(preparation).submission.filename() == "a.py");
  const Preparation alone = bench.run_folder({{"b.ipynb", "{"}});
  CHECK(std::get<LoadFailure>(alone).kind == "notebook");
}

TEST_CASE("names that are no UTF-8 are staged under names that are",
          "[prepare]") {
  const Preparing bench;
  const Preparation preparation = bench.run_folder(
      {{"\xe9/a\xff.py", "x = 1\n"}, {"_/a_.md", ""}, {"\xe9/b.txt", ""}});
  const auto& program = std::get<Program>(preparation);
  CHECK(program.submission == program.root / "_" / "a_.py");
  CHECK(fs::exists(program.root / "_" / "b.txt"));
}

TEST_CASE("names that are no UTF-8 stay apart, and as long as they were",
          "[prepare]") {
  const Preparing bench;
  const std::string longest(252, 'a');
  const std::vector<std::vector<SourceFile>> folders = {
      {{"a\xe8.md", ""}, {"a\xe9.md", ""}, {"a_.md", ""}},
      {{"\xff/a.md", ""}, {"_", ""}},
      {{longest + "\xffxy", ""}, {longest + "_xy", ""}},
      {{"\xff\xfe/a.md", ""}, {"__/b.md", ""}, {"__/a.md", ""}}};
  for (std::vector<SourceFile> files : folders) {
    const std::size_t count = files.size() + 1;
    files.push_back({"attention.py", "x = 1\n"});
    const Preparation preparation = bench.run_folder(files);
    const auto& program = std::get<Program>(preparation);
    const auto is_file = [](const fs::directory_entry& entry) {
      return entry.is_regular_file();
    };
    CHECK(static_cast<std::size_t>(std::count_if(
              fs::recursive_directory_iterator(program.root),
              fs::recursive_directory_iterator(), is_file)) == count);
  }
}

TEST_CASE("names that nothing keeps apart are the candidate's to change",
          "[prepare]") {
  const Preparing bench;
  std::vector<SourceFile> files;
  for (int byte = 0x80; byte <= 0xff; ++byte) {
    files.push_back({std::string(1, static_cast<char>(byte)), ""});
  }
  const Preparation preparation = bench.run_folder(files);
  CHECK(std::get<LoadFailure>(preparation).detail.find("Rename them") !=
        std::string::npos);
  CHECK(bench.staged() == 0);
}

TEST_CASE("a folder of other things is the candidate's failure", "[prepare]") {
  const Preparing bench;
  const Preparation preparation =
      bench.run_folder({{"README.md", "x"}, {"data.csv", "1"}});
  CHECK(std::get<LoadFailure>(preparation)
            .detail.find("holds no file that could be graded, only README.md "
                         "and the like. Submissions are .py, ") == 0);
}

TEST_CASE("a name that leaves the folder is never written", "[prepare]") {
  const Preparing bench;
  for (const char* name :
       {"../x.c", "/tmp/x.c", "a/../../x.c", "", "a/", "./x.c", "..", "a//"}) {
    INFO(name);
    CHECK_THROWS_AS(bench.run_folder({{"a.c", ""}, {name, "int x;"}}),
                    std::logic_error);
    CHECK(bench.staged() == 0);
  }
}

TEST_CASE("a library that is none is the candidate's failure", "[prepare]") {
  const Preparing bench;
  const Preparation preparation = bench.run("a.so", Form::library, "MZ");
  CHECK(std::get<LoadFailure>(preparation).kind == "library");
}

TEST_CASE("the context holds the host's text, read-only", "[prepare]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  LoaderSettings settings;
  settings.python_host = {{"start.py", "print('host')\n"}};
  settings.scratch = folder.path();
  const LoaderContext context = make_loader_context(settings);
  const fs::path start = context.python_host / "start.py";
  CHECK(contents(start) == settings.python_host.front().bytes);
  constexpr fs::perms writable =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  CHECK((fs::status(start).permissions() & writable) == fs::perms::none);
}

TEST_CASE("a scratch folder that is gone is the environment's failure",
          "[prepare]") {
  Preparing bench;
  bench.context.scratch = "/nonexistent/scratch";
  CHECK_THROWS_AS(bench.run("a.py", Form::python, "x"), Error);
}

}  // namespace
}  // namespace grader
