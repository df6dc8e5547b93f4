// SPDX-License-Identifier: MIT
#include "grader/system/text.hpp"

#include "tests/catch.hpp"

using namespace grader;

TEST_CASE("the last line is that before the newlines at the end") {
  CHECK(last_line("").empty());
  CHECK(last_line("\n\n").empty());
  CHECK(last_line("one") == "one");
  CHECK(last_line("one\ntwo\n\n") == "two");
  CHECK(last_line("one\n two") == " two");
}

TEST_CASE("a misspelt word finds the nearest known one", "[text]") {
  const std::vector<std::string> known{"attention", "causal_attention", "mask"};
  CHECK(did_you_mean("atention", known) == "attention");
  CHECK(did_you_mean("ATTENTION", known) == "attention");
  CHECK(did_you_mean("masc", known) == "mask");
  CHECK(did_you_mean("softmax", known) == std::nullopt);
  CHECK(did_you_mean("", known) == std::nullopt);
  CHECK(did_you_mean("x", {"y"}) == std::nullopt);
  CHECK(did_you_mean(std::string(100000, 'a'), known) == std::nullopt);
}

TEST_CASE("ordinary text stays as it is", "[text]") {
  const std::string text =
      "größe \xE2\x88\x9A d_k\n\tzweite Zeile \xF0\x9F\x98\x80";
  CHECK(printable(text) == text);
}

TEST_CASE("control characters are spelled out", "[text]") {
  CHECK(printable("a\x1B[31mb\r\x07") == "a\\x1b[31mb\\x0d\\x07");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(printable("\xC2\x9B") == "\\x9b");
  CHECK(printable("\xE2\x80\xAE") == "\\u202e");
}

TEST_CASE("bytes that are no UTF-8 are replaced one by one", "[text]") {
  const std::string bad = "\xEF\xBF\xBD";
  CHECK(printable("a\xFFz") == "a" + bad + "z");
  CHECK(printable("\xC0\x80") == bad + bad);            // overlong
  CHECK(printable("\xED\xA0\x80") == bad + bad + bad);  // surrogate
  CHECK(printable("\xF4\x90\x80\x80") == bad + bad + bad + bad);
  CHECK(printable("\xE2\x82") == bad + bad);  // cut short
}

TEST_CASE("bytes that are no UTF-8 can be replaced one by one", "[text]") {
  CHECK(as_utf8("caf\xe9.py", '_') == "caf_.py");
  CHECK(as_utf8("\xc3\xa9\xc3", '_') == "\xc3\xa9_");
  CHECK(as_utf8("\xed\xa0\x80", '?') == "???");
  CHECK(as_utf8("", '_').empty());
}

TEST_CASE("one line is one line, cut between characters", "[text]") {
  CHECK(one_line("a\nb\tc") == "a b c");
  CHECK(one_line("abcdef", 6) == "abcdef");
  CHECK(one_line("abcdefg", 6) == "abc...");
  CHECK(one_line("ab\xC3\xA4\xC3\xA4z", 6) == "ab...");
}

TEST_CASE("a size is in MiB where it has no fraction", "[text]") {
  CHECK(size_text(std::uint64_t{16} << 20U) == "16 MiB");
  CHECK(size_text(std::uint64_t{3} << 30U) == "3072 MiB");
  CHECK(size_text((std::uint64_t{1} << 20U) + 1) == "1048577 bytes");
  CHECK(size_text(4096) == "4096 bytes");
}
