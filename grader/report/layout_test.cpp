// SPDX-License-Identifier: MIT
#include "grader/report/layout.hpp"

#include "tests/catch.hpp"

using namespace grader;
using Lines = std::vector<std::string>;

TEST_CASE("width is counted in columns", "[layout]") {
  CHECK(display_width("") == 0);
  CHECK(display_width("a·b") == 3);
  CHECK(display_width("\xE6\xB3\xA8\xE6\x84\x8F") == 4);  // two CJK characters
  CHECK(display_width("e\xCC\x81") == 1);                 // e and an accent
}

TEST_CASE("long texts are cut to the width", "[layout]") {
  CHECK(shorten_end("scale-by-dk", 11) == "scale-by-dk");
  CHECK(shorten_end("scale-by-dk", 10) == "scale-b...");
  CHECK(shorten_middle("submissions/kim.py", 12) == "subm...im.py");
  CHECK(shorten_middle("abcdef", 2) == "..");
  CHECK(display_width(
            shorten_middle("\xE6\xB3\xA8\xE6\x84\x8F\xE6\xB3\xA8", 5)) <= 5);
}

TEST_CASE("text is broken at spaces, long words anywhere", "[layout]") {
  CHECK(wrap("", 10) == Lines{""});
  CHECK(wrap("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrap("abcdefgh", 3) == Lines{"abc", "def", "gh"});
  CHECK(wrap("a\n  b c", 4) == Lines{"a", "  b", "c"});
  CHECK(wrap("a\n", 4) == Lines{"a", ""});
  CHECK(wrap("\xE6\xB3\xA8", 1) == Lines{"\xE6\xB3\xA8"});
}

TEST_CASE("code is broken only where Python goes on", "[layout]") {
  CHECK(wrap_code("f(a, b)", 10) == Lines{"f(a, b)"});
  CHECK(wrap_code("call(alpha, beta, gamma)", 18) ==
        Lines{"call(alpha, beta,", "    gamma)"});
  CHECK(wrap_code("a, b, c = one, two", 10) == Lines{"a, b, c = one, two"});
  CHECK(wrap_code("f('a, b', c)", 9) == Lines{"f('a, b',", "    c)"});
}

TEST_CASE("a label has a hanging indent", "[layout]") {
  CHECK(labelled("Proof", "one two three", {2, 8, 18}) ==
        "  Proof   one two\n"
        "          three\n");
}

TEST_CASE("escape sequences are taken out", "[layout]") {
  CHECK(strip_escapes("a\x1b[31mb\x1b[0mc") == "abc");
  CHECK(strip_escapes("\x1b]0;title\x07x\x1b]8;;u\x1b\\y") == "xy");
  CHECK(strip_escapes("\x1b").empty());
  CHECK(strip_escapes("\x1b[12").empty());
}
