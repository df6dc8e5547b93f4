// SPDX-License-Identifier: MIT
#include "grader/lesson/training_lesson.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <nlohmann/json.hpp>

#include "grader/lesson/estimate.hpp"
#include "grader/lesson/lesson_documents.hpp"
#include "grader/report/number_text.hpp"

namespace grader {

std::string_view training_lesson_py();

namespace {

using nlohmann::json;

// JSON

json steps_of(const RateOutcome& outcome) {
  json list = json::array();
  for (const auto& steps : outcome.steps) {
    list.push_back(steps ? json(*steps) : json());
  }
  return list;
}

json to_json(const Curve& curve) {
  return {{"mean", curve.mean}, {"deviation", curve.deviation}};
}

json to_json(const TrainingOutcome& scale) {
  json by_rate = json::array();
  for (const RateOutcome& outcome : scale.by_rate) {
    by_rate.push_back({{"rate", outcome.rate},
                       {"final", outcome.final_loss},
                       {"steps", steps_of(outcome)},
                       {"wrong", outcome.wrong},
                       {"dead", outcome.dead}});
  }
  return {
      {"name", scale.name},
      {"factor", scale.factor},
      {"value_factor", scale.value_factor},
      {"rate_factor", scale.rate_factor},
      {"by_rate", by_rate},
      {"best_rate", scale.by_rate.at(scale.best).rate},
      {"curve",
       {{"loss", to_json(scale.loss)}, {"gradient", to_json(scale.gradient)}}}};
}

std::string numbers_of(const TrainingStudy& study) {
  const TrainingSettings& settings = study.settings;
  json scales = json::array();
  for (const TrainingOutcome& scale : study.scales) {
    scales.push_back(to_json(scale));
  }
  return document_of({{"demo", "training"},
                      {"settings",
                       {{"d_k", settings.d_k},
                        {"n", settings.n},
                        {"d_model", settings.d_model},
                        {"d_v", settings.d_v},
                        {"steps", settings.steps},
                        {"seeds", settings.seeds},
                        {"seed", settings.seed}}},
                      {"enough", enough_loss},
                      {"scales", scales}});
}

std::string script_of(const TrainingSettings& settings) {
  return with_settings(
      training_lesson_py(), "d_k, n, d_model, d_v, steps, seeds, seed",
      {static_cast<std::uint64_t>(settings.d_k),
       static_cast<std::uint64_t>(settings.n),
       static_cast<std::uint64_t>(settings.d_model),
       static_cast<std::uint64_t>(settings.d_v),
       static_cast<std::uint64_t>(settings.steps),
       static_cast<std::uint64_t>(settings.seeds), settings.seed});
}

// Words

std::string shown_name(const TrainingOutcome& scale) {
  return scale.name == "none" ? "no scale" : scale.name;
}

double mean_loss(const RateOutcome& outcome) {
  return mean_of(outcome.final_loss);
}

double deviation(const std::vector<double>& values) {
  return estimate(values).error * std::sqrt(static_cast<double>(values.size()));
}

std::string loss_text(const RateOutcome& outcome) {
  return fixed(mean_loss(outcome), 3) + " ± " +
         fixed(deviation(outcome.final_loss), 3);
}

// The three scales of the scores; the fourth repeats the first.
Chart chart_of(const TrainingStudy& study, const std::string& caption,
               const Axis& x, const Axis& y,
               Series (*series_of)(const TrainingOutcome&)) {
  Chart chart{caption, x, y, {}};
  for (const TrainingOutcome& scale : study.scales) {
    if (scale.value_factor == 1.0) {
      chart.series.push_back(series_of(scale));
      chart.series.back().name = shown_name(scale);
    }
  }
  return chart;
}

Series by_step(const Curve& curve) {
  Series series{"", {}, curve.mean, curve.deviation};
  for (std::size_t i = 0; i < curve.mean.size(); ++i) {
    series.x.push_back(
        static_cast<double>(i * static_cast<std::size_t>(steps_between)));
  }
  return series;
}

Series loss_by_step(const TrainingOutcome& scale) {
  return by_step(scale.loss);
}

Series gradient_by_step(const TrainingOutcome& scale) {
  return by_step(scale.gradient);
}

Series loss_by_rate(const TrainingOutcome& scale) {
  Series series;
  for (const RateOutcome& outcome : scale.by_rate) {
    series.x.push_back(outcome.rate);
    series.y.push_back(mean_loss(outcome));
    series.spread.push_back(deviation(outcome.final_loss));
  }
  return series;
}

std::string steps_text(const RateOutcome& outcome) {
  std::vector<std::int64_t> reached;
  for (const auto& steps : outcome.steps) {
    if (steps) {
      reached.push_back(*steps);
    }
  }
  if (reached.empty()) {
    return "-";
  }
  std::ranges::sort(reached);
  return reached.front() == reached.back()
             ? std::to_string(reached.front())
             : std::to_string(reached.front()) + " to " +
                   std::to_string(reached.back());
}

Table best_table(const TrainingStudy& study) {
  Table table;
  table.head = {"", "best rate", "loss at the end",
                "reach " + fixed(enough_loss, 2), "after steps"};
  for (const TrainingOutcome& scale : study.scales) {
    const RateOutcome& best = scale.by_rate.at(scale.best);
    const auto reached =
        std::ranges::count_if(best.steps, [](const auto& s) { return !!s; });
    table.rows.push_back(
        {shown_name(scale), significant(best.rate * scale.rate_factor),
         loss_text(best),
         std::to_string(reached) + " of " + std::to_string(best.steps.size()),
         steps_text(best)});
  }
  return table;
}

// How many times as high the loss of the first scale ends as that of the
// second, each at its best rate.
double loss_ratio(const TrainingStudy& study) {
  const auto best_loss = [](const TrainingOutcome& scale) {
    return mean_loss(scale.by_rate.at(scale.best));
  };
  return best_loss(study.scales.at(0)) / best_loss(study.scales.at(1));
}

bool shows_effect(const TrainingStudy& study) {
  constexpr double apart = 3.0;
  return loss_ratio(study) >= apart;
}

// What the numbers show, or why they do not.
std::string verdict(const TrainingStudy& study) {
  if (!shows_effect(study)) {
    return "With these settings the scale makes little difference: scores of "
           "deviation sqrt(d_k) = " +
           significant(std::sqrt(static_cast<double>(study.settings.d_k)), 2) +
           " leave most rows a gradient, or too few steps were made. Wider "
           "heads show it: --d-k 64 and more.";
  }
  return "Without the scale the loss stops falling where it is far too high: "
         "at "
         "the rate that is best for it, it ends " +
         significant(loss_ratio(study), 2) + " times as high.";
}

Section curves_section(const TrainingStudy& study) {
  const TrainingSettings& settings = study.settings;
  return {"Three scales from the same starts",
          {"One head learns to look up: query i is to attend to key i of " +
               std::to_string(settings.n) + ". W_q and W_k (" +
               std::to_string(settings.d_model) + ", " +
               std::to_string(settings.d_k) +
               ") are trained by plain gradient "
               "descent, " +
               std::to_string(settings.steps) + " steps, from " +
               std::to_string(settings.seeds) +
               " random starts; behind ± stands the standard deviation over "
               "them. The loss is the mean squared error of the output: equal "
               "weights have about 1, a wrong key about 2. Each scale at the "
               "learning rate that is best for it:",
           best_table(study),
           chart_of(study, "Loss, mean over the starts", {"step", false},
                    {"loss", true}, loss_by_step),
           verdict(study)}};
}

std::string share_text(const std::vector<double>& shares) {
  return fixed(100 * mean_of(shares), 0) + " %";
}

Table rows_table(const TrainingStudy& study) {
  Table table;
  table.head = {"rate", "wrong", "dead", "wrong, 1/sqrt(d_k)",
                "dead, 1/sqrt(d_k)"};
  for (std::size_t i = 0; i < learning_rates().size(); ++i) {
    const RateOutcome& none = study.scales.at(0).by_rate.at(i);
    const RateOutcome& root = study.scales.at(1).by_rate.at(i);
    table.rows.push_back({significant(learning_rates()[i]),
                          share_text(none.wrong), share_text(none.dead),
                          share_text(root.wrong), share_text(root.dead)});
  }
  return table;
}

Table losses_table(const TrainingStudy& study) {
  Table table;
  table.head = {"rate"};
  for (const TrainingOutcome& scale : study.scales) {
    table.head.push_back(shown_name(scale));
  }
  for (std::size_t i = 0; i < learning_rates().size(); ++i) {
    std::vector<std::string> row = {significant(learning_rates()[i])};
    for (const TrainingOutcome& scale : study.scales) {
      row.push_back(loss_text(scale.by_rate.at(i)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section rates_section(const TrainingStudy& study) {
  return {"By learning rate",
          {"Loss at the end:", losses_table(study),
           chart_of(study, "Loss at the end", {"learning rate", true},
                    {"loss", true}, loss_by_rate),
           "Where the scores are divided by d_k the gradient is smaller by a "
           "factor, and a larger rate makes up for that. Scaling the values "
           "instead (v / sqrt(d_k), and the outputs that are aimed at, and the "
           "rate times d_k, so that a step is as large) does nothing: the "
           "softmax sees the same scores, and the column repeats the first (to "
           "the last digit where sqrt(d_k) is a power of 2; else but for what "
           "training without a scale, which is chaotic, makes of rounding)."}};
}

Section rows_section(const TrainingStudy& study) {
  const std::string what_is_counted =
      "What became of the rows without the scale, and with it: wrong are those "
      "whose largest weight is another key's, dead those in which no weight "
      "answers to another key's score by more than 0.001.";
  const std::string why_no_rate_helps =
      "Without the scale, at small rates, the rows that still have a gradient "
      "jump between wrong keys. Each jump lands farther out, where the "
      "gradient "
      "is smaller: at larger rates all rows are dead, and a wrong one stays "
      "wrong for good.";
  const std::string whose_gradient_it_is =
      "Nor does the norm of the gradient fall with the loss. It is that of the "
      "few rows on the edge between two keys, where the softmax is steep; the "
      "others add nothing to it.";
  return {"No learning rate makes up for it",
          {what_is_counted, rows_table(study), why_no_rate_helps,
           chart_of(study, "Norm of the gradient, each scale at its best rate",
                    {"step", false}, {"norm", true}, gradient_by_step),
           whose_gradient_it_is}};
}

}  // namespace

Lesson training_lesson(const TrainingStudy& study) {
  Lesson lesson{"What training makes of a missing scale",
                {curves_section(study), rates_section(study)},
                numbers_of(study),
                script_of(study.settings)};
  if (shows_effect(study)) {
    lesson.sections.push_back(rows_section(study));
  }
  return lesson;
}

}  // namespace grader
