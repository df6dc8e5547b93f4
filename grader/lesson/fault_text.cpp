// SPDX-License-Identifier: MIT
#include "grader/lesson/fault_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

constexpr Columns fields{2, 12, 80};

// Darker for larger weights; nothing for what is no weight.
std::string shade(double value) {
  constexpr std::array<const char*, 5> shades = {"  ", "░░", "▒▒", "▓▓", "██"};
  if (!(value >= 0.0 && value <= 1.0)) {
    return "  ";
  }
  return shades.at(static_cast<std::size_t>(std::lround(value * 4.0)));
}

std::string cells_of(const FaultPortrait& portrait,
                     const reference::Tensor& matrix, std::size_t row) {
  const auto columns = static_cast<std::size_t>(matrix.size(1));
  std::string text;
  for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
    const double value = matrix.data[i];
    text += text.empty() ? "" : " ";
    text += portrait.what == "weights" ? shade(value) + " " : "";
    text += pad_left(fixed(value, 2), 6);
  }
  return text;
}

std::string matrices(const FaultPortrait& portrait) {
  const auto rows = static_cast<std::size_t>(portrait.right.size(0));
  const std::size_t width =
      std::max(display_width(cells_of(portrait, portrait.right, 0)) + 3,
               std::size_t{10});
  std::string label = portrait.what == "weights" ? "Weights" : "Output";
  label += portrait.where;
  std::string text =
      labelled(label, pad_right("right", width) + "with the fault", fields);
  for (std::size_t row = 0; row < rows; ++row) {
    text += labelled("",
                     pad_right(cells_of(portrait, portrait.right, row), width) +
                         cells_of(portrait, portrait.faulty, row),
                     fields);
  }
  return text;
}

}  // namespace

std::string render_text(const FaultPortrait& portrait) {
  std::string text = labelled("Shape tests", portrait.shape_tests, fields) +
                     "\n" + matrices(portrait) + "\n";
  std::string_view label = "See it";
  for (const std::string& line : portrait.python) {
    for (const std::string& part : wrap_code(line, 66)) {
      text += labelled(label, part, fields);
      label = "";
    }
  }
  return text;
}

}  // namespace grader
