// SPDX-License-Identifier: MIT
#include "grader/loader/compile.hpp"

#include <algorithm>
#include <fstream>

#include "grader/loader/elf_symbols.hpp"
#include "grader/loader/native_sources.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

using Files = std::vector<SourceFile>;

struct Bench {
  TemporaryFolder folder{temporary_root(), "attngrade-test"};
  CompileRequest request;

  explicit Bench(const Files& files) {
    const fs::path& root = folder.path();
    for (const char* part : {"source", "work", "include"}) {
      fs::create_directory(root / part);
    }
    std::ofstream(root / "include" / "attngrade.h") << "typedef int number;\n";
    for (const SourceFile& file : files) {
      const fs::path path = root / "source" / file.name;
      fs::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary) << file.bytes;
    }
    request = {.root = root / "source",
               .sources = native_sources(files),
               .header_folders = header_folders(files),
               .library = root / "library.so",
               .scratch = root / "work",
               .include_folder = root / "include"};
  }
  Bench(const std::string& name, const std::string& text)
      : Bench(Files{{name, text}}) {}

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
  const Bench c("a.c",
                "#include <attngrade.h>\n#include <math.h>\n"
                "static int hidden(void) { return 1; }\n"
                "number attention(double x) { return hidden() + cbrt(x); }\n");
  CHECK(std::holds_alternative<std::monostate>(c.run()));
  CHECK(c.symbols() == Words{"attention"});
  const Bench cpp("a.cpp",
                  "extern \"C\" int attention() { return 1; }\n"
                  "int helper() { return 2; }\n");
  CHECK(std::holds_alternative<std::monostate>(cpp.run()));
  Words symbols = cpp.symbols();
  std::ranges::sort(symbols);
  CHECK(symbols == Words{"_Z6helperv", "attention"});
}

TEST_CASE("the compiler's message reaches the candidate, by the file's name",
          "[compile]") {
  const Bench bench("ana.c", "int attention(void)\n{\n  return nothing;\n}\n");
  const std::string text = failure(bench.run());
  INFO(text);
  CHECK(has(text, "does not compile:\nana.c"));
  CHECK(has(text, "ana.c:3:"));
  CHECK_FALSE(has(text, bench.folder.path().string()));
}

TEST_CASE("a function that is nowhere defined is named", "[compile]") {
  const Bench bench("a.c",
                    "int helper(int);\n"
                    "int attention(void) { return helper(1); }\n");
  const std::string text = failure(bench.run());
  CHECK(has(text, "undefined reference to `helper'"));
  CHECK_FALSE(has(text, bench.folder.path().string()));
}

TEST_CASE("names are no options, whatever they look like", "[compile]") {
  for (const char* name :
       {"-o.c", "@file.c", "a b.c", "-fplugin=x.c", "caf\xc3\xa9.c"}) {
    const Bench bench(name, "int attention(void) { return 1; }\n");
    INFO(name);
    CHECK(std::holds_alternative<std::monostate>(bench.run()));
    CHECK(bench.symbols() == Words{"attention"});
  }
}

TEST_CASE("C and C++ of several folders become one library", "[compile]") {
  const Bench bench(
      Files{{"src/attention.cpp",
             "#include \"kernel.h\"\n#include <concepts>\n"
             "template <std::floating_point T> T twice(T x) "
             "{ return x + x; }\n"
             "extern \"C\" int attention() { return "
             "static_cast<int>(twice(kernel(1.0))); }\n"},
            {"src/kernel.c",
             "#include \"kernel.h\"\n#include \"local.h\"\n"
             "double kernel(double x) { return LOCAL * cbrt(x); }\n"},
            {"src/local.h", "#define LOCAL 2\n"},
            {"include/kernel.h",
             "#include <math.h>\n#ifdef __cplusplus\nextern \"C\"\n"
             "#endif\ndouble kernel(double);\n"},
            {"demo.c", "int main(void) { return 0; }\n"},
            {"test_kernel.c", "int main(void) { return 1; }\n"}});
  const Compilation compilation = bench.run();
  if (const auto* failed = std::get_if<LoadFailure>(&compilation)) {
    FAIL(failed->detail);
  }
  Words symbols = bench.symbols();
  std::ranges::sort(symbols);
  CHECK(symbols == Words{"attention", "kernel", "main"});
}

TEST_CASE("a header of the candidate's does not replace the system's",
          "[compile]") {
  const Bench bench(
      Files{{"a.c",
             "#include <math.h>\n#include \"math.h\"\n#include <own.h>\n"
             "double attention(double x) { return exp(x) + MINE + OWN; }\n"},
            {"math.h", "#define MINE 1\n"},
            {"own.h", "#define OWN 2\n"}});
  CHECK(std::holds_alternative<std::monostate>(bench.run()));
}

TEST_CASE("a nested file is called by its name in the submission",
          "[compile]") {
  const Bench bench(Files{{"src/deep/a.c", "#include \"../b.h\"\n"},
                          {"src/b.h", "int f(void) { return nothing; }\n"},
                          {"src/c.cpp", ""}});
  const std::string text = failure(bench.run());
  INFO(text);
  CHECK(has(text, "src/deep/a.c:1"));
  CHECK_FALSE(has(text, " ./"));
  CHECK_FALSE(has(text, bench.folder.path().string()));
}

TEST_CASE("what is defined twice is said, across languages too", "[compile]") {
  for (const char* other : {"b.c", "b.cpp"}) {
    const Bench bench(Files{{"a.c", "int main(void) { return 0; }\n"},
                            {other, "int main() { return 1; }\n"}});
    CHECK(has(failure(bench.run()), "multiple definition of `main'"));
  }
}

TEST_CASE("C++20 is there, with its library", "[compile]") {
  const Bench bench("a.cpp",
                    "#include <concepts>\n#include <numbers>\n"
                    "#include <ranges>\n#include <span>\n#include <vector>\n"
                    "template <typename T> concept Number = "
                    "std::floating_point<T>;\n"
                    "double sum(std::span<const double> row, Number auto x) {\n"
                    "  double total = x;\n"
                    "  for (double v : row | std::views::transform("
                    "[](double w) { return w * std::numbers::e; }))\n"
                    "    total += v;\n"
                    "  return total;\n"
                    "}\n"
                    "struct Shape { int n = 1; auto operator<=>(const Shape&) "
                    "const = default; };\n"
                    "extern \"C\" int attention() {\n"
                    "  std::vector<double> row(3);\n"
                    "  return sum(row, 1.0) > 0 && Shape{.n = 2} > Shape{};\n"
                    "}\n");
  const Compilation compilation = bench.run();
  if (const auto* failed = std::get_if<LoadFailure>(&compilation)) {
    FAIL(failed->detail);
  }
}

TEST_CASE("the contract's types may be declared again, without its header",
          "[compile]") {
  const std::string types =
      "#include <stdint.h>\n"
      "typedef struct { int64_t batch, heads, n_q, n_k, d_k, d_v; } "
      "attention_shape;\n";
  const Bench bench(
      Files{{"a.c",
             "#include \"shape.h\"\n"
             "int attention(const double *q, const double *k, const double "
             "*v, attention_shape s, double *o, double *w) { return 0; }\n"},
            {"shape.h", types}});
  CHECK(std::holds_alternative<std::monostate>(bench.run()));
}

TEST_CASE("a long list of errors is cut", "[compile]") {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "int f" + std::to_string(i) + "(void) { return nothing; }\n";
  }
  const Bench bench("a.c", text);
  CHECK(failure(bench.run()).size() < 4100);
}

TEST_CASE("a source that eats all memory meets the compiler's limits",
          "[compile]") {
  const Bench bench("a.c", "#include \"/dev/zero\"\n");
  CHECK(has(failure(bench.run()), "2 GiB of memory"));
}

TEST_CASE("bytes that are no text are no danger", "[compile]") {
  const Bench bench("a.cpp", std::string("\0\x1b[2J\xff\n", 7));
  CHECK_FALSE(has(failure(bench.run()), "\x1b"));
}

TEST_CASE("without a compiler nothing is the candidate's fault", "[compile]") {
  const Bench bench("a.cpp", "int x;");
  const Compilation compilation = compile({}, bench.request);
  const auto* obstacle = std::get_if<CannotGrade>(&compilation);
  REQUIRE(obstacle != nullptr);
  CHECK(obstacle->kind == "environment");
  CHECK(has(obstacle->detail, "needs a C++ compiler"));
}

}  // namespace
}  // namespace grader
