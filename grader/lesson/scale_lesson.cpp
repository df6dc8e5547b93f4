// SPDX-License-Identifier: MIT
#include "grader/lesson/scale_lesson.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/lesson/lesson_documents.hpp"
#include "grader/report/number_text.hpp"

namespace grader {

std::string_view scale_lesson_py();

namespace {

using nlohmann::json;

// JSON

json to_json(const ScoreFigures& figures) {
  return {{"smallest", figures.smallest},
          {"largest", figures.largest},
          {"deviation", to_json(figures.deviation)},
          {"row_largest_weight", figures.row_largest_weight},
          {"largest_weight", to_json(figures.largest_weight)},
          {"entropy", to_json(figures.entropy)},
          {"effective_keys", to_json(figures.effective_keys)},
          {"jacobian", to_json(figures.jacobian)},
          {"dead_rows", to_json(figures.dead_rows)}};
}

json to_json(const ScaleOutcome& scale) {
  return {{"name", scale.name},
          {"factor", scale.factor},
          {"figures", to_json(scale.figures)},
          {"float16",
           {{"score_error", to_json(scale.float16.score_error)},
            {"weight_error", to_json(scale.float16.weight_error)}}}};
}

json to_json(const WidthOutcome& width) {
  return {{"d_k", width.d_k},
          {"variance", to_json(width.variance)},
          {"scaled_variance", to_json(width.scaled_variance)},
          {"raw", to_json(width.raw)},
          {"scaled", to_json(width.scaled)}};
}

template <typename Outcome>
json list_of(const std::vector<Outcome>& outcomes) {
  json list = json::array();
  for (const Outcome& outcome : outcomes) {
    list.push_back(to_json(outcome));
  }
  return list;
}

std::string numbers_of(const ScaleStudy& study) {
  const ScaleSettings& settings = study.settings;
  const json document = {{"demo", "scale"},
                         {"settings",
                          {{"d_k", settings.d_k},
                           {"n", settings.n},
                           {"draws", settings.draws},
                           {"seed", settings.seed}}},
                         {"log_n", std::log(static_cast<double>(settings.n))},
                         {"scales", list_of(study.scales)},
                         {"widths", list_of(study.widths)},
                         {"slope",
                          {{"raw", to_json(study.raw_slope)},
                           {"scaled", to_json(study.scaled_slope)}}}};
  return document_of(document);
}

// Script

std::string script_of(const ScaleSettings& settings) {
  return with_settings(
      scale_lesson_py(), "d_k, n, draws, seed",
      {static_cast<std::uint64_t>(settings.d_k),
       static_cast<std::uint64_t>(settings.n),
       static_cast<std::uint64_t>(settings.draws), settings.seed});
}

// Words

std::string range_text(const ScoreFigures& figures) {
  return fixed(figures.smallest, 2) + " to " + fixed(figures.largest, 2);
}

template <typename TextOf>
std::vector<std::string> row_of(const std::string& name,
                                const ScaleStudy& study, TextOf text_of) {
  std::vector<std::string> row = {name};
  for (const ScaleOutcome& scale : study.scales) {
    row.push_back(text_of(scale));
  }
  return row;
}

std::vector<std::string> estimate_row(const std::string& name,
                                      const ScaleStudy& study,
                                      Estimate ScoreFigures::*figure) {
  return row_of(name, study, [figure](const ScaleOutcome& scale) {
    return text_of(scale.figures.*figure);
  });
}

Table compare_scales(const ScaleStudy& study) {
  Table table;
  table.head = row_of("", study, [](const ScaleOutcome& scale) {
    return scale.name == "none" ? "no scale" : scale.name;
  });
  table.rows = {
      row_of(
          "range of the scores", study,
          [](const ScaleOutcome& scale) { return range_text(scale.figures); }),
      estimate_row("their deviation", study, &ScoreFigures::deviation),
      row_of("largest weight, one row", study,
             [](const ScaleOutcome& scale) {
               return fixed(scale.figures.row_largest_weight, 3);
             }),
      estimate_row("largest weight, rows", study,
                   &ScoreFigures::largest_weight),
      estimate_row("entropy, nats", study, &ScoreFigures::entropy),
      estimate_row("effective keys", study, &ScoreFigures::effective_keys),
      estimate_row("softmax Jacobian", study, &ScoreFigures::jacobian),
      estimate_row("dead rows", study, &ScoreFigures::dead_rows)};
  return table;
}

// Of 1/d_k, which does to wide heads what it does not to narrow ones.
std::string about_whole_width(const ScaleStudy& study) {
  constexpr double nearly_all = 0.95;
  const double keys = study.scales.back().figures.effective_keys.mean;
  if (keys < nearly_all * static_cast<double>(study.settings.n)) {
    return "With heads as narrow as this 1/d_k is not far from the right "
           "scale.";
  }
  return "Dividing by d_k errs to the other side: all weights are nearly 1/n, "
         "and the query hardly matters.";
}

Section scores_section(const ScaleStudy& study) {
  const std::string n = std::to_string(study.settings.n);
  const std::string d_k = std::to_string(study.settings.d_k);
  return {
      "One head of width " + d_k,
      {"Queries and keys are standard normal: " + n + " of each, d_k = " + d_k +
           ", " + std::to_string(study.settings.draws) +
           " draws. A score is a sum of d_k products of variance 1, so its "
           "standard deviation is sqrt(d_k) = " +
           significant(std::sqrt(static_cast<double>(study.settings.d_k)), 3) +
           ". Behind ± stands the standard error.",
       compare_scales(study),
       "Even weights would have the entropy log " + n + " = " +
           fixed(std::log(static_cast<double>(study.settings.n)), 3) +
           "; the effective number of keys is exp(entropy). The Jacobian "
           "diag(w) - w w^T is what a gradient is multiplied by on its way "
           "through the softmax: its Frobenius norm. A row is dead where no "
           "weight answers to the score of another key by more than 0.001: "
           "whatever it attends to now, its own gradient will not move it "
           "elsewhere.",
       about_whole_width(study)}};
}

Series series_of(const std::string& name, const ScaleStudy& study,
                 Estimate WidthOutcome::*variance) {
  Series series{name, {}, {}, {}};
  for (const WidthOutcome& width : study.widths) {
    series.x.push_back(static_cast<double>(width.d_k));
    series.y.push_back((width.*variance).mean);
    series.spread.push_back((width.*variance).error);
  }
  return series;
}

Section growth_section(const ScaleStudy& study) {
  Chart chart;
  chart.caption = "Variance of the scores";
  chart.x = {"d_k", true};
  chart.y = {"variance", true};
  chart.series = {
      series_of("no scale", study, &WidthOutcome::variance),
      series_of("1/sqrt(d_k)", study, &WidthOutcome::scaled_variance)};
  return {"Why the square root",
          {chart, "The variance of raw scores grows like d_k to the power " +
                      text_of(study.raw_slope) +
                      " (fitted to the logarithms; 1 is expected), that of "
                      "divided scores to the power " +
                      text_of(study.scaled_slope) +
                      " (0 is expected). So the divisor that keeps scores the "
                      "same for every width is the root of d_k."}};
}

Section widths_section(const ScaleStudy& study) {
  constexpr std::int64_t narrowest = 8;
  constexpr std::int64_t widest = 512;
  Table table;
  table.caption = "No scale; in the last column, for comparison, 1/sqrt(d_k)";
  table.head = {"d_k", "largest weight", "effective keys", "dead rows",
                "largest weight"};
  for (const WidthOutcome& width : study.widths) {
    if (width.d_k >= narrowest && width.d_k <= widest) {
      table.rows.push_back(
          {std::to_string(width.d_k), text_of(width.raw.largest_weight),
           text_of(width.raw.effective_keys), text_of(width.raw.dead_rows),
           text_of(width.scaled.largest_weight)});
    }
  }
  return {
      "Narrow heads hide it",
      {table,
       "A head without the division that is " + table.rows.front().front() +
           " wide still spreads its weights, over " + table.rows.front().at(2) +
           " keys: a test with heads below 32 looks harmless. From 256 on "
           "the average row gives most of its weight to one key before "
           "training begins; at " +
           table.rows.back().front() + " it gives it " +
           table.rows.back().at(1) + " of it."}};
}

Section rounding_section(const ScaleStudy& study) {
  Table table;
  table.head = {"", "error of a score", "error of a weight"};
  for (const ScaleOutcome& scale : study.scales) {
    table.rows.push_back({scale.name == "none" ? "no scale" : scale.name,
                          text_of(scale.float16.score_error),
                          text_of(scale.float16.weight_error)});
  }
  return {"In float16",
          {"A float16 has 11 bits, whatever the size of the number: large "
           "scores lose digits that the exponential then needs. Scores were "
           "rounded to float16, all else is exact; the largest errors of a "
           "draw:",
           table}};
}

}  // namespace

Lesson scale_lesson(const ScaleStudy& study) {
  return {"What dividing by sqrt(d_k) is for",
          {scores_section(study), growth_section(study), widths_section(study),
           rounding_section(study)},
          numbers_of(study),
          script_of(study.settings)};
}

}  // namespace grader
