// SPDX-License-Identifier: MIT
#include "grader/loader/notebook.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using namespace grader;

namespace {

// The sources in order; fails the test where there is a failure.
std::vector<std::string> sources(const std::string& bytes) {
  const NotebookReading reading = read_notebook(bytes);
  if (const auto* failure = std::get_if<LoadFailure>(&reading)) {
    FAIL(failure->detail);
  }
  std::vector<std::string> found;
  for (const NotebookCell& cell :
       std::get<std::vector<NotebookCell>>(reading)) {
    found.push_back(cell.source);
    CHECK(cell.number == static_cast<int>(found.size()));
  }
  return found;
}

std::string failure_of(const std::string& bytes) {
  const NotebookReading reading = read_notebook(bytes);
  const auto* failure = std::get_if<LoadFailure>(&reading);
  if (failure == nullptr) {
    return "none";
  }
  CHECK(failure->kind == "notebook");
  return failure->detail;
}

std::string no_notebook_text(const std::string& cause) {
  return "the file is no notebook: " + cause + "; save it from Jupyter again";
}

// A notebook of format 4 with these cells and more members.
std::string notebook(const std::string& cells, const std::string& more = "") {
  return R"({"cells": [)" + cells + R"(], "nbformat": 4)" + more + "}";
}

std::string code(const std::string& source, const std::string& more = "") {
  return R"({"cell_type": "code", "source": )" + source + more + "}";
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) {
    result += text;
  }
  return result;
}

using Sources = std::vector<std::string>;

}  // namespace

TEST_CASE("the code cells of format 4 come in order", "[notebook]") {
  const std::string bytes = notebook(
      R"({"cell_type": "markdown", "source": ["# Title"]},)" +
      code(R"(["import numpy\n", "x = 1"])", R"(, "outputs": [], "id": "a")") +
      R"(,{"cell_type": "raw", "source": "raw", "attachments": {}},)" +
      code(R"("y = \"\u00e9\ud83d\ude00\"")", R"(, "execution_count": 7)") +
      "," + code("\"\"") + "," + code("[]"));
  CHECK(sources(bytes) == Sources{"import numpy\nx = 1",
                                  "y = \"\xC3\xA9\xF0\x9F\x98\x80\"", "", ""});
}

TEST_CASE("the code cells of format 3 come in order", "[notebook]") {
  const std::string bytes = R"({"metadata": {"name": ""}, "nbformat": 3,
    "worksheets": [
      {"metadata": {}, "cells": [
        {"cell_type": "heading", "level": 1, "source": "T"},
        {"cell_type": "code", "language": "python", "collapsed": false,
         "input": ["a = 1\n", "b = 2"], "outputs": [], "prompt_number": 3}]},
      {"cells": [{"cell_type": "code", "input": "c = 3"}]}]})";
  CHECK(sources(bytes) == Sources{"a = 1\nb = 2", "c = 3"});
}

TEST_CASE("the keys of another format hold no code", "[notebook]") {
  CHECK(failure_of(R"({"nbformat": 3, "cells": [)" + code("\"x\"") + "]}")
            .find("has no code cell") != std::string::npos);
  CHECK(failure_of(notebook(R"({"cell_type": "code", "input": "x"})"))
            .find("code cell 1: it has no code") != std::string::npos);
}

TEST_CASE("what stands beside the code does not matter", "[notebook]") {
  const std::string outputs =
      R"(, "outputs": [{"cell_type": "code", "source": "bad", "cells": [1, {}],
          "text": ["a", null, -1, 2.5, true]}],
         "metadata": {"source": "bad", "nbformat": 5, "language": "R"})";
  const std::string metadata =
      R"(, "metadata": {"cells": 1, "kernelspec": 7, "language_info":
          {"name": null, "source": {"cells": []}}}, "nbformat_minor": "x")";
  CHECK(sources(notebook(code("\"x\"", outputs), metadata)) == Sources{"x"});
}

TEST_CASE("of what is given twice the last one counts", "[notebook]") {
  CHECK(sources(notebook(code(R"("a", "source": ["b"], "source": "c")"))) ==
        Sources{"c"});
  CHECK(sources(notebook(code("\"a\""), R"(, "cells": [)" + code("\"b\"") +
                                            "]")) == Sources{"b"});
  CHECK(sources(notebook(code("\"a\"") + R"(,{"cell_type": "code",
    "source": "b", "cell_type": "markdown"})")) == Sources{"a"});
}

TEST_CASE("the language of a notebook must be Python", "[notebook]") {
  const auto with_language = [](const std::string& metadata) {
    return notebook(code("\"x\""), R"(, "metadata": {)" + metadata + "}");
  };
  for (const std::string name :
       {"python", "Python", "python3", "Python 3", "ipython", ""}) {
    INFO(name);
    CHECK(failure_of(with_language(R"("kernelspec": {"language": ")" + name +
                                   "\"}")) == "none");
  }
  CHECK(failure_of(with_language(R"("kernelspec": {"language": "R"})")) ==
        "the notebook is written in R, and only Python is read from notebooks; "
        "if it is Python, choose a Python kernel in Jupyter and save it again");
  CHECK(failure_of(with_language(R"("language_info": {"name": "julia\u001b"})"))
            .find("written in julia\\x1b, ") != std::string::npos);
  CHECK(failure_of(R"({"nbformat": 3, "worksheets": [{"cells": [
    {"cell_type": "code", "language": "haskell", "input": "x"}]}]})")
            .find("written in haskell") != std::string::npos);
}

TEST_CASE("other formats than 3 and 4 are named", "[notebook]") {
  for (const std::string number : {"2", "5", "-4", "44444444444444444444"}) {
    INFO(number);
    const std::string detail =
        failure_of(R"({"cells": 3, "nbformat": )" + number + "}");
    CHECK((number.size() > 2 ||
           detail.find("saved in format " + number) != std::string::npos));
    CHECK(detail != "none");
  }
}

TEST_CASE("what is no notebook says where and what to do", "[notebook]") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"[]", "it holds no object {...}"},
      {"\"cells\"", "it holds no object {...}"},
      {"{}", "it has no number \"nbformat\""},
      {R"({"nbformat": "4"})", "\"nbformat\" is no whole number"},
      {R"({"nbformat": 4.0})", "\"nbformat\" is no whole number"},
      {R"({"nbformat": 4, "cells": {"": {}}})", "\"cells\" is no list"},
      {R"({"nbformat": 3, "worksheets": 1})", "\"worksheets\" is no list"},
      {R"({"nbformat": 3, "worksheets": [[]]})",
       "an entry of \"worksheets\" is no object {...}"},
      {notebook("null"), "an entry of \"cells\" is no object {...}"},
      {notebook(code("\"\"") + "," + code("7")),
       "code cell 2: its code is neither a text nor a list of texts"},
      {notebook(code(R"(["a", ["b"]])")),
       "code cell 1: its code is neither a text nor a list of texts"},
      {notebook(code(R"({"a": "b"})")),
       "code cell 1: its code is neither a text nor a list of texts"},
      {notebook(R"({"cell_type": "code"})"),
       "code cell 1: it has no code, not even an empty text"},
  };
  for (const auto& [bytes, cause] : table) {
    INFO(bytes);
    CHECK(failure_of(bytes) == no_notebook_text(cause));
  }
}

TEST_CASE("a notebook without a code cell says so", "[notebook]") {
  for (const std::string bytes :
       {R"({"nbformat": 4})", R"({"nbformat": 3, "worksheets": []})",
        R"({"nbformat": 4, "cells": []})",
        R"({"nbformat": 4, "cells": [{}, {"cell_type": 7, "source": "x"},
            {"cell_type": "markdown", "source": 7}]})"}) {
    INFO(bytes);
    CHECK(failure_of(bytes) ==
          "the notebook has no code cell; put the function into one and save "
          "the notebook again");
  }
}

TEST_CASE("bytes that are no JSON fail at their line", "[notebook]") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", "line 1: syntax error while parsing value - unexpected end"},
      {"<!DOCTYPE html>", "line 1: syntax error"},
      {"{\n\n\"nbformat\": 4,}", "line 3: syntax error"},
      {"{\"nbformat\": 4}\n\nx", "line 3: syntax error"},
      {"{\n\"cells\": [\n", "line 3: syntax error"},
      {"{\"nbformat\": NaN}", "line 1: syntax error"},
      {"{\n\"a\": 1e999}", "line 2: number overflow"},
      {"{\"a\": \"\xFF\"}", "line 1: syntax error"},
      {"{\"a\": \"\\ud800\"}", "line 1: syntax error"},
      {std::string("{\"a\": \"\0\"}", 10), "line 1: syntax error"},
      {"\xFF\xFE{\0", "line 1: syntax error"},
  };
  for (const auto& [bytes, place] : table) {
    INFO(bytes);
    const std::string detail = failure_of(bytes);
    CHECK(detail.find("the file is no notebook: " + place) == 0);
    CHECK(detail.find("; save it from Jupyter again") != std::string::npos);
    CHECK(detail.find('\n') == std::string::npos);
  }
}

TEST_CASE("a long token does not make a long message", "[notebook]") {
  CHECK(failure_of("{\"" + std::string(1 << 20, 'x')).size() < 400);
}

TEST_CASE("a byte order mark is passed over", "[notebook]") {
  CHECK(sources("\xEF\xBB\xBF" + notebook(code("\"x\""))) == Sources{"x"});
}

TEST_CASE("NUL characters in code are passed on", "[notebook]") {
  const Sources found = sources(notebook(code(R"("a\u0000b")")));
  CHECK(found == Sources{std::string("a\0b", 3)});
}

TEST_CASE("deep nesting overflows no stack", "[notebook]") {
  constexpr std::size_t depth = 2'000'000;
  const std::string open = repeated("[", depth);
  const std::string close = repeated("]", depth);
  const std::string objects =
      repeated("{\"a\":", depth) + "1" + repeated("}", depth);
  CHECK(sources(notebook(code("\"x\"", ", \"outputs\": " + open + close +
                                           ", \"metadata\": " + objects))) ==
        Sources{"x"});
  CHECK(failure_of(open + close).find("it holds no object") !=
        std::string::npos);
  CHECK(failure_of(open).find("syntax error") != std::string::npos);
  CHECK(failure_of(notebook(code(open + close))).find("code cell 1") !=
        std::string::npos);
}

TEST_CASE("a great many cells take no great time", "[notebook]") {
  constexpr std::size_t count = 300'000;
  const std::string one = code("\"\"") + ",";
  CHECK(sources(notebook(repeated(one, count) + code("\"\""))).size() ==
        count + 1);
  CHECK(failure_of(notebook(repeated("{},", 2'000'000) + "{}"))
            .find("has no code cell") != std::string::npos);
}

TEST_CASE("large outputs are passed over", "[notebook]") {
  const std::string image(std::size_t{8} << 20, 'A');
  CHECK(sources(notebook(code("\"x\"", R"(, "outputs": [{"data": {"image/png":
    ")" + image + "\"}}]"))) == Sources{"x"});
}

TEST_CASE("cells are written for the host", "[notebook]") {
  CHECK(write_cells({}) == R"({"cells":[]})");
  CHECK(write_cells({{1, "a\n\"\xC3\xA9"}, {2, std::string("\0", 1)}}) ==
        "{\"cells\":[{\"number\":1,\"source\":\"a\\n\\\"\xC3\xA9\"},"
        "{\"number\":2,\"source\":\"\\u0000\"}]}");
  CHECK(write_cells({{1, "\xFF"}}) ==
        "{\"cells\":[{\"number\":1,\"source\":\"\xEF\xBF\xBD\"}]}");
}
