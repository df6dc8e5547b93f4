// SPDX-License-Identifier: MIT
#include "grader/lesson/lesson_html.hpp"

#include "grader/lesson/svg_chart.hpp"
#include "grader/report/xml_writer.hpp"

namespace grader {

std::string_view lesson_css();

namespace {

std::string element(const std::string& name, const std::string& content) {
  return "<" + name + ">" + content + "</" + name + ">";
}

std::string cells_of(const std::vector<std::string>& row,
                     const std::string& kind) {
  std::string cells;
  for (const std::string& cell : row) {
    cells += element(kind, escape_xml(cell));
  }
  return element("tr", cells) + "\n";
}

std::string render_block(const Table& table) {
  std::string rows;
  for (const std::vector<std::string>& row : table.rows) {
    rows += cells_of(row, "td");
  }
  // Scrolls by itself where the page is narrow.
  return "<div class=\"wide\"><table>\n" +
         (table.caption.empty()
              ? ""
              : element("caption", escape_xml(table.caption)) + "\n") +
         element("thead", cells_of(table.head, "th")) + "\n" +
         element("tbody", "\n" + rows) + "\n</table></div>\n";
}

std::string render_block(const Chart& chart) {
  return element("figure",
                 "\n" + render_svg(chart) +
                     element("figcaption", escape_xml(chart.caption)) + "\n") +
         "\n";
}

std::string render_block(const std::string& paragraph) {
  return element("p", escape_xml(paragraph)) + "\n";
}

std::string render_section(const Section& section) {
  std::string content =
      "\n" + element("h2", escape_xml(section.heading)) + "\n";
  for (const Block& block : section.blocks) {
    content +=
        std::visit([](const auto& one) { return render_block(one); }, block);
  }
  return element("section", content) + "\n";
}

}  // namespace

std::string render_html(const Lesson& lesson) {
  std::string sections;
  for (const Section& section : lesson.sections) {
    sections += render_section(section);
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
         "<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n" +
         element("title", escape_xml(lesson.title)) + "\n" +
         element("style", "\n" + std::string(lesson_css())) +
         "\n</head>\n<body>\n" + element("h1", escape_xml(lesson.title)) +
         "\n" + sections + "<details>\n" +
         element("summary", "The same numbers by numpy") + "\n" +
         element("pre", escape_xml(lesson.script)) +
         "\n</details>\n</body>\n</html>\n";
}

}  // namespace grader
