// SPDX-License-Identifier: MIT
#include <algorithm>

#include "grader/lesson/fault_text.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/xml_writer.hpp"

namespace grader {

std::string_view lesson_css();

namespace {

std::string element(const std::string& name, const std::string& content,
                    const std::string& attributes = "") {
  return "<" + name + attributes + ">" + content + "</" + name + ">\n";
}

std::string text_element(const std::string& name, const std::string& text) {
  return element(name, escape_xml(text));
}

// The larger the weight, the darker the cell; its number stands in it.
std::string cell(double value, bool is_weight) {
  const bool is_shaded = is_weight && value >= 0.0 && value <= 1.0;
  const std::string style = is_shaded ? " style=\"background:rgba(0,114,178," +
                                            fixed(value * 0.7, 2) + ")\""
                                      : "";
  return element("td", fixed(value, 2), style);
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
    rows += element("tr", cells);
  }
  return element("table", text_element("caption", caption) + rows,
                 " class=\"matrix\"");
}

std::string code(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text_element("pre", text);
}

std::string portrait_part(const std::string& id) {
  const auto portrait = portray(id);
  if (!portrait) {
    return "";
  }
  const bool is_weights = portrait->what == "weights";
  const std::string name = portrait->what + portrait->where;
  return text_element("h4", "What tests of shapes see") +
         text_element("p", portrait->shape_tests) +
         text_element("h4", "What it does to the " + name) +
         element("div",
                 matrix("right", portrait->right, is_weights) +
                     matrix("with the fault", portrait->faulty, is_weights),
                 " class=\"pair\"") +
         text_element("h4", "See it") + code(portrait->python);
}

std::string questions_part(const Fault& fault) {
  std::string text;
  for (const std::string& hint : fault.hints) {
    text += text_element("li", hint);
  }
  text = text_element("h4", "Hints") + element("ol", text);
  for (const Question& question : fault.questions) {
    text += text_element("h4", "Ask: " + question.question) +
            text_element("p", question.answer);
  }
  for (const WrongAnswer& wrong : fault.wrong_answers) {
    text += text_element("h4", "If you hear: " + wrong.answer) +
            text_element("p", wrong.why);
  }
  return element("details",
                 text_element("summary", "Hints and questions") + text);
}

std::string article(const Fault& fault) {
  return element("article",
                 text_element("h3", fault.id + ": " + fault.title) +
                     text_element("p", fault.sentence) +
                     text_element("pre", fault.formula) +
                     text_element("p", fault.explanation) +
                     portrait_part(fault.id) + text_element("h4", "Fix") +
                     text_element("pre", fault.fix) + questions_part(fault),
                 " id=\"" + escape_xml(fault.id) + "\"");
}

std::string list_of(const std::vector<Fault>& faults) {
  std::string items;
  for (const Fault& fault : faults) {
    items += element("li", "<a href=\"#" + escape_xml(fault.id) + "\">" +
                               escape_xml(fault.id) + "</a> " +
                               escape_xml(fault.title));
  }
  return element("nav", element("ul", items));
}

}  // namespace

std::string render_faults_html(const std::vector<Fault>& faults) {
  const std::string title = faults.size() == 1
                                ? faults.front().id
                                : "Faults in attention, and how they show";
  std::string body =
      faults.size() == 1 ? "" : text_element("h1", title) + list_of(faults);
  for (const Fault& fault : faults) {
    body += article(fault);
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n" +
         element("head",
                 "\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                 "content=\"width=device-width, initial-scale=1\">\n" +
                     text_element("title", title) +
                     element("style", "\n" + std::string(lesson_css()))) +
         element("body", "\n" + body) + "</html>\n";
}

}  // namespace grader
