// SPDX-License-Identifier: MIT
#include "grader/lesson/fault_text.hpp"

#include <sstream>

#include "grader/report/layout.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a portrait has both matrices, side by side", "[fault-text]") {
  const std::string text = render_text(*portray("keys-transposed-all-axes"));
  CHECK(has_part(text, "Weights[1]  right"));
  CHECK(has_part(text, "░░   0.20 ▓▓   0.80        0.11 ██   0.89\n"));
  CHECK(has_part(text, "attention(q, k, v)"));
}

TEST_CASE(
    "no portrait is wider than a terminal, but for code that cannot break",
    "[fault-text]") {
  for (const Fault& fault : catalogue()) {
    const auto portrait = portray(fault.id);
    std::istringstream lines(portrait ? render_text(*portrait) : "");
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(fault.id, line);
      CHECK(display_width(line) <= 80);
      CHECK_FALSE(line.ends_with(' '));
    }
  }
}

TEST_CASE("the page has an article for every fault, and a way to it",
          "[fault-text]") {
  const std::string page = render_faults_html(catalogue());
  for (const Fault& fault : catalogue()) {
    CAPTURE(fault.id);
    CHECK(has_part(page, "<article id=\"" + fault.id + "\">"));
    CHECK(has_part(page, "<a href=\"#" + fault.id + "\">"));
  }
  for (const char* part : {"<script", "src=", "http", "url(", "@import"}) {
    CAPTURE(part);
    CHECK_FALSE(has_part(page, part));
  }
}

TEST_CASE("a page of one fault has no list", "[fault-text]") {
  const std::string page = render_faults_html({*find_fault("scale-by-dk")});
  CHECK(has_part(page, "<title>scale-by-dk</title>"));
  CHECK_FALSE(has_part(page, "<nav>"));
}

}  // namespace
}  // namespace grader
