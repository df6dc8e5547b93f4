// SPDX-License-Identifier: MIT
#include "grader/loader/compile.hpp"

#include <algorithm>
#include <fstream>

#include "grader/loader/elf_symbols.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

struct Bench {
  TemporaryFolder folder{temporary_root(), "attngrade-test"};
  CompileRequest request;

  Bench(Form form, const std::string& name, const std::string& text) {
    const fs::path& root = folder.path();
    for (const char* part : {"source", "work", "include"}) {
      fs::create_directory(root / part);
    }
    std::ofstream(root / "include" / "attngrade.h") << "typedef int number;\n";
    std::ofstream(root / "source" / name) << text;
    request = {form, root / "source" / name, root / "library.so", root / "work",
               root / "include"};
  }

  Compilation run() const { return compile(find_compilers(), request); }

  Words symbols() const {
    std::ifstream file(request.library, std::ios::binary);
    return exported_functions(
        std::string(std::istreambuf_iterator<char>(file), {}));
  }
};

std::string failure(const Compilation& compilation) {
  const auto* found = std::get_if<LoadFailure>(&compilation);
  REQUIRE(found != nullptr);
  CHECK(found->kind == "compile");
  return found->detail;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("C and C++ sources become libraries with their symbols",
          "[compile]") {
  const Bench c(Form::c, "a.c",
                "#include <attngrade.h>\n#include <math.h>\n"
                "static int hidden(void) { return 1; }\n"
                "number attention(double x) { return hidden() + cbrt(x); }\n");
  CHECK(std::holds_alternative<std::monostate>(c.run()));
  CHECK(c.symbols() == Words{"attention"});
  const Bench cpp(Form::cpp, "a.cpp",
                  "extern \"C\" int attention() { return 1; }\n"
                  "int helper() { return 2; }\n");
  CHECK(std::holds_alternative<std::monostate>(cpp.run()));
  Words symbols = cpp.symbols();
  std::ranges::sort(symbols);
  CHECK(symbols == Words{"_Z6helperv", "attention"});
}

TEST_CASE("the compiler's message reaches the candidate, by the file's name",
          "[compile]") {
  const Bench bench(Form::c, "ana.c",
                    "int attention(void)\n{\n  return nothing;\n}\n");
  const std::string text = failure(bench.run());
  INFO(text);
  CHECK(has(text, "does not compile:\nana.c"));
  CHECK(has(text, "ana.c:3:"));
  CHECK_FALSE(has(text, bench.folder.path().string()));
}

TEST_CASE("a function that is nowhere defined is named", "[compile]") {
  const Bench bench(Form::c, "a.c",
                    "int helper(int);\n"
                    "int attention(void) { return helper(1); }\n");
  const std::string text = failure(bench.run());
  CHECK(has(text, "undefined reference to `helper'"));
  CHECK_FALSE(has(text, bench.folder.path().string()));
}

TEST_CASE("names are no options, whatever they look like", "[compile]") {
  for (const char* name :
       {"-o.c", "@file.c", "a b.c", "-fplugin=x.c", "caf\xc3\xa9.c"}) {
    const Bench bench(Form::c, name, "int attention(void) { return 1; }\n");
    INFO(name);
    CHECK(std::holds_alternative<std::monostate>(bench.run()));
    CHECK(bench.symbols() == Words{"attention"});
  }
}

TEST_CASE("a long list of errors is cut", "[compile]") {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "int f" + std::to_string(i) + "(void) { return nothing; }\n";
  }
  const Bench bench(Form::c, "a.c", text);
  CHECK(failure(bench.run()).size() < 4100);
}

TEST_CASE("a source that eats all memory meets the compiler's limits",
          "[compile]") {
  const Bench bench(Form::c, "a.c", "#include \"/dev/zero\"\n");
  CHECK(has(failure(bench.run()), "2 GiB of memory"));
}

TEST_CASE("bytes that are no text are no danger", "[compile]") {
  const Bench bench(Form::cpp, "a.cpp", std::string("\0\x1b[2J\xff\n", 7));
  CHECK_FALSE(has(failure(bench.run()), "\x1b"));
}

TEST_CASE("without a compiler nothing is the candidate's fault", "[compile]") {
  const Bench bench(Form::cpp, "a.cpp", "int x;");
  const Compilation compilation = compile({}, bench.request);
  const auto* obstacle = std::get_if<CannotGrade>(&compilation);
  REQUIRE(obstacle != nullptr);
  CHECK(obstacle->kind == "environment");
  CHECK(has(obstacle->detail, "needs a C++ compiler"));
}

}  // namespace
}  // namespace grader
