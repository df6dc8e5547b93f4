// SPDX-License-Identifier: MIT
#include "grader/loader/native_sources.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

using Words = std::vector<std::string>;

std::vector<SourceFile> named(const Words& names) {
  std::vector<SourceFile> files;
  files.reserve(names.size());
  for (const std::string& name : names) {
    files.push_back({name, ""});
  }
  return files;
}

TEST_CASE("sources are compiled, in the order of their names",
          "[native_sources]") {
  CHECK(native_sources(named({"src/b.cc", "a.c", "README.md", "include/a.h",
                              "Makefile", "c.CPP", "d.cxx"})) ==
        Words{"a.c", "c.CPP", "d.cxx", "src/b.cc"});
  CHECK(native_sources(named({"README.md", "a.so"})).empty());
  CHECK(native_sources({}).empty());
}

TEST_CASE("tests are not compiled", "[native_sources]") {
  CHECK(native_sources(
            named({"attention.c", "test_attention.c", "attention_test.cpp",
                   "tests/cases.c", "src/test/run.c", "test.c", "latest.c"})) ==
        Words{"attention.c", "latest.c"});
  CHECK(native_sources(named({"test_attention.c"})) ==
        Words{"test_attention.c"});
}

TEST_CASE("what is left aside is named with the reason", "[native_sources]") {
  const std::vector<SourceFile> files = {
      {"main.c", "#if 0\n#include \"part.c\"\n#endif\n"},
      {"part.c", ""},
      {"test_main.c", "int main(void) {}"},
      {"main.h", ""}};
  CHECK(native_sources(files) == Words{"main.c"});
  CHECK(left_aside(files, {"main.c"}) ==
        "part.c (another file includes it), "
        "test_main.c (a test, by its name)");
  CHECK(left_aside(named({"a.c", "b.c", "a.h"}), {"a.c", "b.c"}).empty());
  Words many;
  for (int i = 0; i < 20; ++i) {
    many.push_back("test_" + std::to_string(i) + ".c");
  }
  CHECK(left_aside(named(many), {}).ends_with(", and 12 more"));
}

TEST_CASE("headers are known whatever the case of their ending",
          "[native_sources]") {
  for (const std::string ending : {"H", "HPP", "hh", "HXX", "h++"}) {
    const std::string header = "part." + ending;
    INFO(header);
    CHECK(native_sources({{"main.cpp", "#include \"" + header + "\"\n"},
                          {"inc/" + header, "#include \"body.cpp\"\n"},
                          {"inc/body.cpp", ""}}) == Words{"main.cpp"});
    CHECK(header_folders(named({"inc/" + header})) == Words{".", "inc"});
  }
}

TEST_CASE("what is a test by its name alone is compiled where it is all",
          "[native_sources]") {
  const SourceFile coding = {"attention_test.c", "int attention (int n) {}"};
  const SourceFile util = {"util.c", "int util(void); // attention"};
  CHECK(native_sources({coding, util}) == Words{"attention_test.c", "util.c"});
  CHECK(native_sources({coding, {"sdpa.c", "int sdpa(int n) {}"}}) ==
        Words{"sdpa.c"});
  CHECK(native_sources({coding, util, {"a.h", "int\nmha_f32(int n);"}}) ==
        Words{"util.c"});
  CHECK(native_sources({coding, util, {"tests/run.c", "int main(void) {}"}}) ==
        Words{"util.c"});
  CHECK(native_sources({util, {"util_test.c", "void f(void) { util(); }"}}) ==
        Words{"util.c"});
}

TEST_CASE("a source that another one includes is part of that one",
          "[native_sources]") {
  CHECK(native_sources({{"main.c",
                         "#include <math.h>\n"
                         " #  include \"src/softmax.c\"\n"
                         "#include \"lonely.h\"\n"},
                        {"src/softmax.c", "#include \"../main.h\"\n"},
                        {"other.c", "#include \"other.c\"\n#include \"x\n"}}) ==
        Words{"main.c", "other.c"});
  // Two that include each other: the compiler will have something to say.
  CHECK(native_sources({{"a.c", "#include \"./b.c\""},
                        {"b.c", "#include \"a.c\""}}) == Words{"a.c", "b.c"});
}

TEST_CASE("a source is part of another that includes it by a header",
          "[native_sources]") {
  CHECK(native_sources({{"src/attention.c", "#include \"softmax.h\"\n"},
                        {"include/softmax.h", "#include \"all.inc\"\n"},
                        {"include/all.inc", "#include \"../src/softmax.c\"\n"},
                        {"src/softmax.c", ""}}) == Words{"src/attention.c"});
  // A header that no other source includes takes nothing away.
  const SourceFile own = {"a.hpp", "#include \"a.cpp\"\n"};
  CHECK(
      native_sources({{"a.cpp", "#include \"a.hpp\"\n"}, own, {"b.cpp", ""}}) ==
      Words{"a.cpp", "b.cpp"});
  CHECK(native_sources({{"a.cpp", "#include \"a.hpp\"\n"},
                        own,
                        {"b.cpp", "#include \"a.hpp\"\n"}}) == Words{"b.cpp"});
}

TEST_CASE("an include in a comment or a literal is none", "[native_sources]") {
  for (const char* text :
       {"/* once: #include \"b.c\" */\n", "//#include \"b.c\" // was\n",
        "/* was\n#include \"b.c\"\n*/\n", "// was \\\n#include \"b.c\"\n",
        "char *s = \"\\\n#include \\\"b.c\\\"\";\n",
        "auto s = R\"x(\n#include \"b.c\"\n)\" )x\";\n",
        "int x; #include \"b.c\"\n", "int x; /*\n*/ #include \"b.c\"\n",
        "#define X \\\r\n#include \"b.c\"\n", "/* #include \"b.c\"\n",
        "auto s = R\"(\n#include \"b.c\"\n"}) {
    INFO(text);
    CHECK(native_sources({{"a.c", text}, {"b.c", ""}}).size() == 2);
  }
}

TEST_CASE("comments and literals hide no include that is one",
          "[native_sources]") {
  for (const char* text :
       {"/* a */ # /**/\n\t#\tinclude \"b.c\"\n", "/*\n*/#include \"b.c\"",
        "char q = '\"';\n#include \"b.c\"\n",
        "char *s = \"/*\";\n#include \"b.c\"\n",
        "int i = 1'000; // '\r\n#include \"b.c\"\r\n",
        "// R\"(\n#include \"b.c\"\n", "#error don't\n#include \"b.c\"\n",
        "char *s = \"open\n#include \"b.c\"\n",
        "#include <math.h>\n#include \"b.c\" /* the rest */\n"}) {
    INFO(text);
    CHECK(native_sources({{"a.c", text}, {"b.c", ""}}) == Words{"a.c"});
  }
}

TEST_CASE("text that only resembles an include is none", "[native_sources]") {
  for (const char* text : {"#", "#include", "#include \"", "#include \"b.c",
                           "# include\n\"b.c\"", "include \"b.c\"", "##"}) {
    INFO(text);
    CHECK(native_sources({{"a.c", text}, {"b.c", ""}}).size() == 2);
  }
}

TEST_CASE("a text of nothing but includes is read once", "[native_sources]") {
  constexpr int repeats = 200000;
  for (const std::string part : {"#include ", "#include \"", "#include \"b.c\"",
                                 "\n#include \"b.h\"", "R\"(", "/*", "\\\n"}) {
    std::string text;
    text.reserve(part.size() * repeats);
    for (int i = 0; i < repeats; ++i) {
      text += part;
    }
    CHECK(native_sources({{"a.c", text}, {"b.c", ""}}).front() == "a.c");
  }
}

TEST_CASE("sources and libraries make a folder native", "[native_sources]") {
  CHECK(is_native(named({"a.c", "README.md"})));
  CHECK(is_native(named({"libattention.so"})));
  CHECK_FALSE(is_native(named({"README.md", "attention.py", "a.h"})));
  CHECK_FALSE(is_native({}));
}

TEST_CASE("headers are looked for in all folders that have some",
          "[native_sources]") {
  CHECK(header_folders(named({"a.h", "include/b.hpp", "src/a.c", "lib/x/y.inl",
                              "include/c.h"})) ==
        Words{".", "include", "lib/x"});
  CHECK(header_folders({}) == Words{"."});
}

TEST_CASE("files with a main are named for messages", "[native_sources]") {
  const std::vector<SourceFile> files = {
      {"a.c", "int main(void) { return 0; }"},
      {"b.c", "int main (int argc, char **argv)\n{}"},
      {"c.c", "int domain(void); int main_loop(void); // main\n"},
      {"d.c", "main"},
      {"e.c", "int main(void);"}};
  CHECK(with_main(files, {"a.c", "b.c", "c.c", "d.c"}) == Words{"a.c", "b.c"});
}

}  // namespace
}  // namespace grader
