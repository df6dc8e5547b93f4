// SPDX-License-Identifier: MIT
#include "grader/report/compared_rows.hpp"

#include <algorithm>
#include <string_view>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

std::string number_row(std::string_view label,
                       const std::vector<std::string>& cells,
                       std::size_t columns, std::size_t cell_width) {
  std::string text = "    " + pad_right(label, 8);
  for (std::size_t i = 0; i < std::min(columns, cells.size()); ++i) {
    text += pad_left(cells[i], cell_width);
  }
  return text + (cells.size() > columns ? " ...\n" : "\n");
}

std::size_t widest(const NumberRows& rows) {
  std::size_t width = 0;
  for (const std::vector<std::string>& cells : {rows.expected, rows.actual}) {
    for (const std::string& cell : cells) {
      width = std::max(width, cell.size());
    }
  }
  return width;
}

}  // namespace

std::string compared_rows(const std::vector<double>& expected,
                          const std::vector<double>& actual,
                          std::size_t width) {
  const NumberRows rows = number_rows(expected, actual);
  const std::size_t cell_width = widest(rows) + 2;
  const std::size_t columns = (width - 12 - 4) / cell_width;
  return number_row("expected", rows.expected, columns, cell_width) +
         number_row("got", rows.actual, columns, cell_width);
}

}  // namespace grader
