// SPDX-License-Identifier: MIT
#include "grader/report/audit_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

constexpr std::size_t width = 80;
constexpr std::size_t id_width = 29;
constexpr std::size_t cases_a_block = width - id_width - 3;

// The power of ten of the closest variant, or why there is none.
char symbol_of(const Audit& audit, const AuditedFault& fault,
               std::size_t case_index) {
  double nearest = -1.0;
  double farthest = -1.0;
  bool is_loud = false;
  for (const std::size_t variant : fault.variants) {
    const AuditCell& cell = audit.cells[variant][case_index];
    is_loud |= cell.applies && cell.is_loud;
    if (cell.applies && !cell.is_loud) {
      nearest =
          nearest < 0.0 ? cell.distance : std::min(nearest, cell.distance);
      farthest = std::max(farthest, cell.distance);
    }
  }
  if (nearest < 0.0) {
    return is_loud ? '!' : ' ';
  }
  if (nearest <= audit.rule.margin()) {
    return is_loud || farthest > audit.rule.margin() ? 'o' : '.';
  }
  if (std::isinf(nearest)) {
    return '*';
  }
  const int power = static_cast<int>(std::floor(std::log10(nearest)));
  return static_cast<char>('0' + std::clamp(power, 0, 9));
}

// Numbers above the columns, read downwards.
std::string column_numbers(std::size_t first, std::size_t last) {
  std::string tens(id_width + 2, ' ');
  std::string units = tens;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t number = i + 1;
    tens += number >= 10 && (number % 10 == 0 || i == first)
                ? static_cast<char>('0' + number / 10 % 10)
                : ' ';
    units += static_cast<char>('0' + number % 10);
  }
  tens.erase(tens.find_last_not_of(' ') + 1);
  return (tens.empty() ? "" : tens + "\n") + units + "\n";
}

std::string matrix_rows(const Audit& audit, std::size_t first,
                        std::size_t last) {
  std::string text = column_numbers(first, last);
  for (const AuditedFault& fault : faults_of(audit)) {
    std::string line = "  " + pad_right(fault.id, id_width);
    for (std::size_t i = first; i < last; ++i) {
      line += symbol_of(audit, fault, i);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string case_names(const Audit& audit) {
  std::string names;
  for (std::size_t i = 0; i < audit.cases.size(); ++i) {
    names += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " " +
             audit.cases[i]->name;
  }
  return "\n" + labelled("Cases", names, {.indent = 2, .label_width = 7}) +
         "\n";
}

}  // namespace

std::string audit_legend(const AuditRule& rule) {
  const std::string unit = rule.tolerance
                               ? "tolerances of " + significant(*rule.tolerance)
                               : "tolerances of float32";
  std::string text;
  for (const std::string& line :
       wrap("In each column: how far the fault is from the right answer, as a "
            "power of ten of " +
                unit +
                " (5 is 10^5 of them), for the form of the fault that comes "
                "closest. . not told from right; o some forms are not; * NaN "
                "or infinity; ! an error or a wrong shape; blank: means "
                "nothing there.",
            width)) {
    text += line + "\n";
  }
  return text;
}

std::string render_audit_matrix(const Audit& audit) {
  std::string text = case_names(audit);
  for (std::size_t i = 0; i < audit.cases.size(); i += cases_a_block) {
    text +=
        matrix_rows(audit, i, std::min(audit.cases.size(), i + cases_a_block)) +
        "\n";
  }
  return text;
}

}  // namespace grader
