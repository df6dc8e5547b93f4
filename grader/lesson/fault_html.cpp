// SPDX-License-Identifier: MIT
#include <algorithm>

#include "grader/lesson/fault_text.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/xml_writer.hpp"

namespace grader {

std::string_view lesson_css();

namespace {

std::string tag(const std::string& name, const std::string& content,
                const std::string& attributes = "") {
  return "<" + name + attributes + ">" + content + "</" + name + ">\n";
}

std::string tag_around(const std::string& name, const std::string& text) {
  return tag(name, escape_xml(text));
}

// The larger the weight, the darker the cell; its number stands in it.
std::string cell(double value, bool is_weight) {
  const bool is_shaded = is_weight && value >= 0.0 && value <= 1.0;
  const std::string style = is_shaded ? " style=\"background:rgba(0,114,178," +
                                            fixed(value * 0.7, 2) + ")\""
                                      : "";
  return tag("td", fixed(value, 2), style);
}

std::string matrix(const std::string& caption, const reference::Tensor& values,
                   bool is_weight) {
  const auto columns = static_cast<std::size_t>(values.size(1));
  std::string rows;
  for (std::size_t begin = 0; begin < values.data.size(); begin += columns) {
    std::string cells;
    for (std::size_t i = begin; i < begin + columns; ++i) {
      cells += cell(values.data[i], is_weight);
    }
    rows += tag("tr", cells);
  }
  return tag("table", tag_around("caption", caption) + rows,
             " class=\"matrix\"");
}

std::string code(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return tag_around("pre", text);
}

std::string portrait_part(const std::string& id) {
  const auto portrait = portray(id);
  if (!portrait) {
    return "";
  }
  const bool is_weights = portrait->what == "weights";
  const std::string name = portrait->what + portrait->where;
  return tag_around("h4", "What tests of shapes see") +
         tag_around("p", portrait->shape_tests) +
         tag_around("h4", "What it does to the " + name) +
         tag("div",
             matrix("right", portrait->right, is_weights) +
                 matrix("with the fault", portrait->faulty, is_weights),
             " class=\"pair\"") +
         tag_around("h4", "See it") + code(portrait->python);
}

std::string questions_part(const Fault& fault) {
  std::string text;
  for (const std::string& hint : fault.hints) {
    text += tag_around("li", hint);
  }
  text = tag_around("h4", "Hints") + tag("ol", text);
  for (const Question& question : fault.questions) {
    text += tag_around("h4", "Ask: " + question.question) +
            tag_around("p", question.answer);
  }
  for (const WrongAnswer& wrong : fault.wrong_answers) {
    text += tag_around("h4", "If you hear: " + wrong.answer) +
            tag_around("p", wrong.why);
  }
  return tag("details", tag_around("summary", "Hints and questions") + text);
}

std::string article(const Fault& fault) {
  return tag("article",
             tag_around("h3", fault.id + ": " + fault.title) +
                 tag_around("p", fault.sentence) +
                 tag_around("pre", fault.formula) +
                 tag_around("p", fault.explanation) + portrait_part(fault.id) +
                 tag_around("h4", "Fix") + tag_around("pre", fault.fix) +
                 questions_part(fault),
             " id=\"" + escape_xml(fault.id) + "\"");
}

std::string list_of(const std::vector<Fault>& faults) {
  std::string items;
  for (const Fault& fault : faults) {
    items +=
        tag("li", "<a href=\"#" + escape_xml(fault.id) + "\">" +
                      escape_xml(fault.id) + "</a> " + escape_xml(fault.title));
  }
  return tag("nav", tag("ul", items));
}

}  // namespace

std::string render_faults_html(const std::vector<Fault>& faults) {
  const std::string title = faults.size() == 1
                                ? faults.front().id
                                : "Faults in attention, and how they show";
  std::string body =
      faults.size() == 1 ? "" : tag_around("h1", title) + list_of(faults);
  for (const Fault& fault : faults) {
    body += article(fault);
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n" +
         tag("head",
             "\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
             "content=\"width=device-width, initial-scale=1\">\n" +
                 tag_around("title", title) +
                 tag("style", "\n" + std::string(lesson_css()))) +
         tag("body", "\n" + body) + "</html>\n";
}

}  // namespace grader
