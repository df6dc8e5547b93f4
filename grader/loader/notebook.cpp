// SPDX-License-Identifier: MIT
#include "grader/loader/notebook.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/system/text.hpp"

namespace grader {
namespace {

using nlohmann::json;

// What a value of the document is, by where it stands.
enum class Part {
  document,
  ignored,
  root,
  format,
  metadata,
  kernel,
  language_info,
  language,
  worksheets,  // of format 3; each has cells of its own
  worksheet,
  old_cells,
  old_cell,
  cells,  // of format 4
  cell,
  cell_type,
  code,
  code_line,
};

using Kinds = unsigned;
constexpr Kinds object = 1;
constexpr Kinds array = 2;
constexpr Kinds text = 4;
constexpr Kinds integer = 8;
constexpr Kinds other = 16;

// A value under `key` of a `parent`, or any element of it, must be of one of
// `kinds` to be `part`. Where there is a complaint, other kinds are an error.
struct Rule {
  Part parent;
  std::string_view key;  // empty: an element of a list, or the document's value
  Part part;
  Kinds kinds;
  std::string_view complaint;
};

constexpr std::string_view no_code =
    "its code is neither a text nor a list of texts";

constexpr std::array<Rule, 19> rules{{
    {Part::document, "", Part::root, object, "it holds no object {...}"},
    {Part::root, "nbformat", Part::format, integer,
     R"("nbformat" is no whole number)"},
    {Part::root, "metadata", Part::metadata, object, ""},
    {Part::metadata, "kernelspec", Part::kernel, object, ""},
    {Part::kernel, "language", Part::language, text, ""},
    {Part::metadata, "language_info", Part::language_info, object, ""},
    {Part::language_info, "name", Part::language, text, ""},
    {Part::root, "worksheets", Part::worksheets, array,
     R"("worksheets" is no list)"},
    {Part::worksheets, "", Part::worksheet, object,
     R"(an entry of "worksheets" is no object {...})"},
    {Part::worksheet, "cells", Part::old_cells, array, R"("cells" is no list)"},
    {Part::old_cells, "", Part::old_cell, object,
     R"(an entry of "cells" is no object {...})"},
    {Part::old_cell, "cell_type", Part::cell_type, text, ""},
    {Part::old_cell, "language", Part::language, text, ""},
    {Part::old_cell, "input", Part::code, text | array, no_code},
    {Part::root, "cells", Part::cells, array, R"("cells" is no list)"},
    {Part::cells, "", Part::cell, object,
     R"(an entry of "cells" is no object {...})"},
    {Part::cell, "cell_type", Part::cell_type, text, ""},
    {Part::cell, "source", Part::code, text | array, no_code},
    {Part::code, "", Part::code_line, text, no_code},
}};

const Rule* find_rule(Part parent, std::string_view key) {
  const auto* const found =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
        return rule.parent == parent && (rule.key.empty() || rule.key == key);
      });
  return found == rules.end() ? nullptr : found;
}

bool is_python(std::string_view language) {
  std::string lower(language.substr(0, 8));
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  // "Python 3", "python3", "ipython"; nothing is said by an empty name.
  return lower.empty() || lower.rfind("python", 0) == 0 ||
         lower.rfind("ipython", 0) == 0;
}

LoadFailure failure(const std::string& detail) {
  return {"notebook", detail};
}

LoadFailure no_notebook(const std::string& cause) {
  return failure("the file is no notebook: " + cause +
                 "; save it from Jupyter again");
}

// One cell, while it is being read.
struct Draft {
  bool is_code = false;
  bool has_source = false;
  std::string source;
  std::string_view problem;
};

struct CodeCells {
  std::vector<NotebookCell> cells;
  std::string problem;  // of the first cell that has one

  void add(Draft& draft) {
    const int number = static_cast<int>(cells.size()) + 1;
    if (!draft.has_source && draft.problem.empty()) {
      draft.problem = "it has no code, not even an empty text";
    }
    if (problem.empty() && !draft.problem.empty()) {
      problem = "code cell " + std::to_string(number) + ": " +
                std::string(draft.problem);
    }
    cells.push_back({number, std::move(draft.source)});
  }
};

// Takes the parser's events. Keeps the part of each open container and the code
// of cells; the parser itself keeps one bit a level.
class Reader : public nlohmann::json_sax<json> {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  NotebookReading result() &&;

  bool null() override { return scalar(other); }
  bool boolean(bool /*value*/) override { return scalar(other); }
  bool number_integer(number_integer_t value) override {
    return number(std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return number(std::to_string(value));
  }
  bool number_float(number_float_t /*value*/, const string_t& /*s*/) override {
    return scalar(other);
  }
  bool string(string_t& value) override;
  bool binary(binary_t& /*value*/) override { return scalar(other); }
  bool start_object(std::size_t /*elements*/) override { return open(object); }
  bool start_array(std::size_t /*elements*/) override { return open(array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override;
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error) override;

 private:
  Part arrive(Kinds kind);
  bool scalar(Kinds kind);
  bool number(std::string value);
  bool open(Kinds kind);
  bool close();

  std::string_view bytes_;
  std::vector<Part> places_{Part::document};  // the open containers
  std::string key_;                           // of the value that comes next
  Draft draft_;
  CodeCells cells_;
  CodeCells old_cells_;
  std::string format_;
  std::string foreign_language_;
  std::string syntax_problem_;
  std::string problem_;
};

// The part of a value that begins.
Part Reader::arrive(Kinds kind) {
  const Rule* const rule = find_rule(places_.back(), key_);
  if (rule == nullptr) {
    return Part::ignored;
  }
  if ((rule->kinds & kind) != 0) {
    return rule->part;
  }
  if (rule->part == Part::code || rule->part == Part::code_line) {
    draft_.problem = rule->complaint;
  } else if (problem_.empty()) {
    problem_ = rule->complaint;
  }
  return Part::ignored;
}

bool Reader::scalar(Kinds kind) {
  arrive(kind);
  return true;
}

bool Reader::number(std::string value) {
  if (arrive(integer) == Part::format) {
    format_ = std::move(value);
  }
  return true;
}

bool Reader::string(string_t& value) {
  const Part part = arrive(text);
  if (part == Part::language) {
    if (foreign_language_.empty() && !is_python(value)) {
      foreign_language_ = value;
    }
  } else if (part == Part::cell_type) {
    draft_.is_code = value == "code";
  } else if (part == Part::code) {
    draft_.source = value;
    draft_.has_source = true;
  } else if (part == Part::code_line) {
    draft_.source += value;
  }
  return true;
}

bool Reader::key(string_t& name) {
  if (places_.back() != Part::ignored) {
    key_ = name;
  }
  return true;
}

bool Reader::open(Kinds kind) {
  const Part part = arrive(kind);
  if (part == Part::cells) {
    cells_ = {};
  } else if (part == Part::worksheets) {
    old_cells_ = {};
  } else if (part == Part::cell || part == Part::old_cell) {
    draft_ = {};
  } else if (part == Part::code) {
    draft_.source.clear();
    draft_.has_source = true;
  }
  places_.push_back(part);
  return true;
}

bool Reader::close() {
  const Part part = places_.back();
  places_.pop_back();
  if (part == Part::cell && draft_.is_code) {
    cells_.add(draft_);
  } else if (part == Part::old_cell && draft_.is_code) {
    old_cells_.add(draft_);
  }
  return true;
}

bool Reader::parse_error(std::size_t position,
                         const std::string& /*last_token*/,
                         const nlohmann::detail::exception& error) {
  // "[id] parse error at line 1, column 2: syntax error while ...", or "[id]
  // number overflow ..." without a place.
  const std::string message = one_line(error.what());
  std::size_t start = message.find("syntax error");
  if (start == std::string::npos) {
    start = message.find("] ") + 2;
  }
  const std::string_view read = bytes_.substr(0, position);
  const auto line = 1 + std::count(read.begin(), read.end(), '\n');
  syntax_problem_ =
      "line " + std::to_string(line) + ": " + message.substr(start);
  return false;
}

// The most telling failure first.
NotebookReading Reader::result() && {
  if (!syntax_problem_.empty()) {
    return no_notebook(syntax_problem_);
  }
  if (format_.empty()) {
    return no_notebook(problem_.empty() ? R"(it has no number "nbformat")"
                                        : problem_);
  }
  if (format_ != "3" && format_ != "4") {
    return failure("the notebook is saved in format " + format_ +
                   ", of which nothing is known; save it from Jupyter again "
                   "in format 4 (3 is read too)");
  }
  if (!foreign_language_.empty()) {
    return failure("the notebook is written in " +
                   one_line(foreign_language_, 40) +
                   ", and only Python is read from notebooks; if it is Python, "
                   "choose a Python kernel in Jupyter and save it again");
  }
  CodeCells& code = format_ == "3" ? old_cells_ : cells_;
  if (!problem_.empty() || !code.problem.empty()) {
    return no_notebook(problem_.empty() ? code.problem : problem_);
  }
  if (code.cells.empty()) {
    return failure(
        "the notebook has no code cell; put the function into one and save the "
        "notebook again");
  }
  return std::move(code.cells);
}

}  // namespace

NotebookReading read_notebook(std::string_view bytes) {
  Reader reader(bytes);
  json::sax_parse(bytes.begin(), bytes.end(), &reader);
  return std::move(reader).result();
}

std::string write_cells(const std::vector<NotebookCell>& cells) {
  json list = json::array();
  for (const NotebookCell& cell : cells) {
    list.push_back({{"number", cell.number}, {"source", cell.source}});
  }
  return json{{"cells", std::move(list)}}.dump(-1, ' ', false,
                                               json::error_handler_t::replace);
}

}  // namespace grader
