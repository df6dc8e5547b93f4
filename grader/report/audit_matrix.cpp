// SPDX-License-Identifier: MIT
#include "grader/report/audit_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

constexpr std::size_t id_width = 29;
constexpr std::size_t cases_a_block = audit_width - id_width - 3;

// Of the forms of a fault on one case.
struct Forms {
  std::vector<double> distances;  // of the silent ones
  bool has_loud = false;
};

Forms forms_of(const Audit& audit, const AuditedFault& fault,
               std::size_t case_index) {
  Forms forms;
  for (const std::size_t variant : fault.variants) {
    const AuditCell& cell = audit.cells[variant][case_index];
    if (cell.applies && cell.is_loud) {
      forms.has_loud = true;
    } else if (cell.applies) {
      forms.distances.push_back(cell.distance);
    }
  }
  return forms;
}

// The power of ten of the closest form, or why there is none.
char symbol_of(const Forms& forms, double margin) {
  if (forms.distances.empty()) {
    return forms.has_loud ? '!' : ' ';
  }
  const auto [nearest, farthest] = std::ranges::minmax(forms.distances);
  if (nearest <= margin) {
    return forms.has_loud || farthest > margin ? 'o' : '.';
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
      line += symbol_of(forms_of(audit, fault, i), audit.rule.margin());
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
                "closest; or . for not told from right, o for some forms not "
                "told from right, * for NaN or infinity, ! for an error or a "
                "wrong shape, blank where it means nothing.",
            audit_width)) {
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
