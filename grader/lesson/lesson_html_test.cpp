// SPDX-License-Identifier: MIT
#include "grader/lesson/lesson_html.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Lesson small_lesson() {
  return {"A < B",
          {{"One & two",
            {"Words \"here\".", Table{"All", {"", "x"}, {{"<a>", "1"}}},
             Chart{"Line",
                   {"steps", false},
                   {"loss", true},
                   {{"none", {0, 1}, {1, 0.5}, {0.1, 2.0}},
                    {"root", {0, 1}, {1, 0.5}, {}}}}}}},
          "{}",
          "if 1 < 2: print()\n"};
}

TEST_CASE("a page holds all of a lesson, escaped", "[lesson-html]") {
  const std::string page = render_html(small_lesson());
  for (const char* part :
       {"<title>A &lt; B</title>", "<h2>One &amp; two</h2>",
        "<p>Words &quot;here&quot;.</p>", "<td>&lt;a&gt;</td><td>1</td>",
        "aria-label=\"Line\"", "if 1 &lt; 2: print()"}) {
    CAPTURE(part);
    CHECK(contains(page, part));
  }
}

TEST_CASE("a page loads nothing and runs nothing", "[lesson-html]") {
  const std::string page = render_html(small_lesson());
  for (const char* part : {"<script", "src=", "href=", "url(", "@import"}) {
    CAPTURE(part);
    CHECK_FALSE(contains(page, part));
  }
}

TEST_CASE("series differ in more than their colour", "[lesson-html]") {
  const std::string page = render_html(small_lesson());
  CHECK(contains(page, "stroke-dasharray=\"\""));
  CHECK(contains(page, "stroke-dasharray=\"9 4\""));
  CHECK(contains(page, "<circle"));
  CHECK(contains(page, "<rect"));
  CHECK(contains(page, ">none</text>"));
  CHECK(contains(page, ">root</text>"));
}

TEST_CASE("a spread below what a logarithm can show is cut off",
          "[lesson-html]") {
  const std::string page = render_html(small_lesson());
  CHECK_FALSE(contains(page, "nan"));
  CHECK_FALSE(contains(page, "inf\""));
}

}  // namespace
}  // namespace grader
