// SPDX-License-Identifier: MIT
// A demonstration: what was computed, as tables, charts and words. Written for
// a terminal by lesson_text.hpp, as a page by lesson_html.hpp.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace grader {

struct Table {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // as long as the head
};

struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;       // as long as x
  std::vector<double> spread;  // of y, to both sides; as long, or empty
};

struct Axis {
  std::string label;
  bool is_logarithmic = false;  // then all values are above 0
};

struct Chart {
  std::string caption;
  Axis x;
  Axis y;
  std::vector<Series> series;  // at most four
};

// A paragraph, a table or a chart.
using Block = std::variant<std::string, Table, Chart>;

struct Section {
  std::string heading;
  std::vector<Block> blocks;
};

struct Lesson {
  std::string title;
  std::vector<Section> sections;
  std::string json;    // its numbers, a document
  std::string script;  // Python that prints the same numbers, by numpy
};

}  // namespace grader
