// SPDX-License-Identifier: MIT
#include "grader/lesson/heads_lesson.hpp"

#include <cmath>
#include <string_view>

#include <nlohmann/json.hpp>

#include "grader/lesson/lesson_documents.hpp"
#include "grader/report/number_text.hpp"

namespace grader {

std::string_view heads_lesson_py();

namespace {

using nlohmann::json;

json to_json(const HeadsOutcome& scale) {
  const ScoreFigures& figures = scale.figures;
  return {{"name", scale.name},
          {"factor", scale.factor},
          {"figures",
           {{"deviation", to_json(figures.deviation)},
            {"largest_weight", to_json(figures.largest_weight)},
            {"effective_keys", to_json(figures.effective_keys)}}}};
}

std::string numbers_of(const HeadsStudy& study) {
  const HeadsSettings& settings = study.settings;
  json scales = json::array();
  for (const HeadsOutcome& scale : study.scales) {
    scales.push_back(to_json(scale));
  }
  json by_heads = json::array();
  for (const HeadCount& count : study.by_heads) {
    by_heads.push_back(
        {{"heads", count.heads}, {"deviation", to_json(count.deviation)}});
  }
  return document_of({{"demo", "heads"},
                      {"settings",
                       {{"d_model", settings.d_model},
                        {"heads", settings.heads},
                        {"n", settings.n},
                        {"draws", settings.draws},
                        {"seed", settings.seed}}},
                      {"scales", scales},
                      {"by_heads", by_heads}});
}

std::string script_of(const HeadsSettings& settings) {
  return with_settings(
      heads_lesson_py(), "d_model, heads, n, draws, seed",
      {static_cast<std::uint64_t>(settings.d_model),
       static_cast<std::uint64_t>(settings.heads),
       static_cast<std::uint64_t>(settings.n),
       static_cast<std::uint64_t>(settings.draws), settings.seed});
}

std::string about_model_width(const HeadsSettings& settings) {
  if (settings.heads == 1) {
    return "With one head the root of d_model is that of d_k, and nobody can "
           "tell which of the two was meant.";
  }
  return "The root of d_model makes the scores sqrt(heads) = " +
         significant(std::sqrt(static_cast<double>(settings.heads)), 3) +
         " times too small. Training goes on all the same, with weights that "
         "are more even than they should be, so no loss curve gives it away. "
         "It is the commonest wrong scale of all.";
}

Section divisors_section(const HeadsStudy& study) {
  const HeadsSettings& settings = study.settings;
  const std::int64_t d_k = settings.d_model / settings.heads;
  Table table;
  table.head = {"scale", "divisor", "deviation", "largest weight",
                "effective keys"};
  for (const HeadsOutcome& scale : study.scales) {
    table.rows.push_back({scale.name, significant(1.0 / scale.factor, 4),
                          text_of(scale.figures.deviation),
                          text_of(scale.figures.largest_weight),
                          text_of(scale.figures.effective_keys)});
  }
  return {
      std::to_string(settings.heads) + " heads of " + std::to_string(d_k) +
          " in a model of " + std::to_string(settings.d_model),
      {"A score is a sum over the width of one head, d_k = d_model / heads = " +
           std::to_string(d_k) +
           ": its variance is d_k, however wide the model is. The deviation "
           "that is aimed at is 1.",
       table, about_model_width(settings)}};
}

Section count_section(const HeadsStudy& study) {
  Table table;
  table.head = {"heads", "d_k", "deviation", "expected"};
  for (const HeadCount& count : study.by_heads) {
    table.rows.push_back(
        {std::to_string(count.heads),
         std::to_string(study.settings.d_model / count.heads),
         text_of(count.deviation),
         fixed(1.0 / std::sqrt(static_cast<double>(count.heads)), 4)});
  }
  return {"A test with one head cannot see it",
          {"Scores / sqrt(d_model): with one head d_k is d_model, and the two "
           "divisors are the same number.",
           table}};
}

}  // namespace

Lesson heads_lesson(const HeadsStudy& study) {
  return {"Which width to divide by",
          {divisors_section(study), count_section(study)},
          numbers_of(study),
          script_of(study.settings)};
}

}  // namespace grader
