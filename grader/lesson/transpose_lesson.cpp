// SPDX-License-Identifier: MIT
#include "grader/lesson/transpose_lesson.hpp"

#include <string_view>

#include <nlohmann/json.hpp>

#include "grader/lesson/lesson_documents.hpp"
#include "grader/report/number_text.hpp"

namespace grader {

std::string_view transpose_lesson_py();

namespace {

using nlohmann::json;

std::vector<std::vector<double>> rows_of(const reference::Tensor& matrix) {
  const auto columns = static_cast<std::ptrdiff_t>(matrix.size(1));
  std::vector<std::vector<double>> rows;
  for (auto begin = matrix.data.begin(); begin != matrix.data.end();
       begin += columns) {
    rows.emplace_back(begin, begin + columns);
  }
  return rows;
}

std::string numbers_of(const TransposeStudy& study) {
  return document_of(
      {{"demo", "transpose"},
       {"settings",
        {{"size", study.settings.size}, {"seed", study.settings.seed}}},
       {"distinct",
        {{"q", study.q},
         {"k", study.k},
         {"swapped_fails", study.swapped_fails},
         {"reversed_fails", study.reversed_fails}}},
       {"largest_difference", study.largest_difference},
       {"mixing",
        {{"swapped", rows_of(study.swapped_mixing)},
         {"reversed", rows_of(study.reversed_mixing)}}}});
}

std::string script_of(const TransposeSettings& settings) {
  return with_settings(
      transpose_lesson_py(), "size, seed",
      {static_cast<std::uint64_t>(settings.size), settings.seed});
}

Section distinct_section(const TransposeStudy& study) {
  const reference::Shape reversed(study.k.rbegin(), study.k.rend());
  return {
      "Sizes that are all different",
      {"q has shape " + reference::to_string(study.q) + ", K " +
           reference::to_string(study.k) +
           ": a batch of 2, 3 queries, 4 keys, width 5. The last two axes "
           "swapped, K is (2, 5, 4) and fits. K.T reverses every axis, to " +
           reference::to_string(reversed) + ", and the product is refused:",
       study.message}};
}

Table mixing_table(const std::string& caption,
                   const reference::Tensor& mixing) {
  Table table;
  table.caption = caption;
  table.head = {"weights of"};
  const std::vector<std::vector<double>> rows = rows_of(mixing);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.head.push_back("keys of " + std::to_string(i));
    std::vector<std::string> cells = {"batch row " + std::to_string(i)};
    for (const double moved : rows[i]) {
      cells.push_back(moved == 0.0 ? "-" : fixed(moved, 3));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Section alike_section(const TransposeStudy& study) {
  const std::string size = std::to_string(study.settings.size);
  return {
      "Sizes that line up",
      {"With " + size + " sequences of " + size + " tokens of width " + size +
           " every shape fits. All of K.T's answers have the right shape, and "
           "their rows sum to 1; the largest weight is off by " +
           fixed(study.largest_difference, 3) +
           ". Each row of the batch now looks at keys of the others. How far "
           "weights move, at most, when one row of the batch gets other keys "
           "(-: not at all):",
       mixing_table("Last two axes swapped", study.swapped_mixing),
       mixing_table("K.T", study.reversed_mixing),
       "So a test takes sizes that are all different, or changes one row of "
       "the batch and looks at the others."}};
}

}  // namespace

Lesson transpose_lesson(const TransposeStudy& study) {
  return {"K.T is not K with its last two axes swapped",
          {distinct_section(study), alike_section(study)},
          numbers_of(study),
          script_of(study.settings)};
}

}  // namespace grader
