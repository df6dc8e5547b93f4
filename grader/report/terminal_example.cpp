// SPDX-License-Identifier: MIT
#include "grader/report/terminal_example.hpp"

#include <algorithm>
#include <vector>

#include "grader/example/snippet.hpp"
#include "grader/report/compared_rows.hpp"
#include "grader/report/layout.hpp"

namespace grader {
namespace {

constexpr std::size_t most_lines = 12;
constexpr std::size_t title_and_rows = 3;

struct Assignment {
  std::string names;  // "q = k"
  std::string value;
};

// Equal arguments share a line.
std::vector<Assignment> assignments(const SmallestExample& example) {
  std::vector<Assignment> result;
  for (const NamedTensor& argument : example.arguments) {
    const std::string value = nested_list(argument.tensor);
    const auto same = std::ranges::find(result, value, &Assignment::value);
    if (same == result.end()) {
      result.push_back({argument.name, value});
    } else {
      same->names += " = " + argument.name;
    }
  }
  if (example.heads > 0) {
    result.push_back({"n_heads", std::to_string(example.heads)});
  }
  if (example.mask) {
    result.push_back({"mask", nested_list(*example.mask)});
  }
  return result;
}

// The first lines of a text, the last of them marked where more would follow.
std::string first_lines(const std::string& text, std::size_t count,
                        std::size_t width) {
  std::string kept;
  std::size_t start = 0;
  for (std::size_t i = 0; i < count && start < text.size(); ++i) {
    const std::size_t end = text.find('\n', start);
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    const bool is_cut = i + 1 == count && start < text.size();
    kept += (is_cut ? shorten_end(line + " " + std::string(width, '.'), width)
                    : line) +
            "\n";
  }
  return kept;
}

}  // namespace

std::string render_example(const SmallestExample& example,
                           const TerminalStyle& style) {
  const std::size_t width = style.width - 4;
  std::string inputs;
  std::size_t used = title_and_rows;
  for (const Assignment& assignment : assignments(example)) {
    const std::string code = assignment.names + " = " + assignment.value;
    for (const std::string& line : wrap_code(code, width)) {
      inputs += "    " + line + "\n";
      ++used;
    }
  }
  const std::size_t shown = std::min(used, most_lines - 1);
  const std::string right =
      labelled("right", example.worked, {4, 10, style.width});
  return "  Smallest example: " + example.what +
         row_index(example.expected.shape, example.row) + " of\n" +
         first_lines(inputs, shown - title_and_rows, style.width) +
         compared_rows(row_of(example.expected, example.row),
                       row_of(example.actual, example.row), style.width) +
         first_lines(right, most_lines - shown, style.width);
}

}  // namespace grader
