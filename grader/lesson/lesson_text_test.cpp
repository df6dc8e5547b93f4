// SPDX-License-Identifier: MIT
#include "grader/lesson/lesson_text.hpp"

#include <sstream>

#include "grader/lesson/scale_lesson.hpp"
#include "grader/report/layout.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("a table has names to the left and numbers to the right",
          "[lesson-text]") {
  CHECK(render_text(Table{"", {"", "a"}, {{"x", "1.0"}, {"long", "22.0"}}}) ==
        "           a\n"
        "  x      1.0\n"
        "  long  22.0\n");
}

TEST_CASE("a chart has a mark and a name for each series", "[lesson-text]") {
  const Chart chart{
      "Growth",
      {"width", false},
      {"size", false},
      {{"up", {0, 1, 2}, {0, 1, 2}, {}}, {"down", {0, 1, 2}, {2, 1.2, 0}, {}}}};
  const std::string text = render_text(chart);
  CHECK(text.find("  Growth\n") == 0);
  CHECK(text.find("width      o up   x down") != std::string::npos);
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  CHECK(line.find('x') < line.find('o'));  // at the top: down, then up
}

TEST_CASE("a lesson keeps to 80 columns", "[lesson-text]") {
  ScaleSettings settings;
  settings.draws = 4;
  settings.n = 64;
  settings.d_k = 512;
  std::istringstream lines(render_text(scale_lesson(study_scale(settings))));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    INFO(line);
    CHECK(display_width(line) <= 80);
    CHECK_FALSE(line.ends_with(' '));
  }
  CHECK(count > 40);
}

}  // namespace
}  // namespace grader
