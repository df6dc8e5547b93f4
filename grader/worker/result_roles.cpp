// SPDX-License-Identifier: MIT
#include "grader/worker/result_roles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace grader {
namespace {

const ResultArray* result_at(const std::optional<std::size_t>& position,
                             const Returned& returned) {
  return position && *position < returned.results.size()
             ? &returned.results[*position]
             : nullptr;
}

// The dtype of a role: integers are noted and hold whole numbers exactly.
DType role_dtype(DType dtype, CaseObservation& observation) {
  if (dtype == DType::integer || dtype == DType::boolean) {
    observation.integer_result = true;
    return DType::float64;
  }
  return dtype;
}

void add_problem(const std::string& text, CaseObservation& observation) {
  std::string& problem = observation.shape_problem;
  problem += (problem.empty() ? "" : "; ") + text;
}

std::string expected_text(const std::string& what, const std::string& verb,
                          const reference::Shape& actual,
                          const reference::Shape& expected) {
  return what + " " + verb + " shape " + reference::to_string(actual) +
         ", expected " + reference::to_string(expected);
}

void take_output(const reference::Tensor& values, const RoleShapes& shapes,
                 CaseObservation& observation) {
  if (values.shape == shapes.output) {
    observation.output = values;
  } else {
    add_problem(expected_text("output", "has", values.shape, shapes.output),
                observation);
  }
}

// Where the head axis of the weights is, in the task's layout.
std::optional<std::size_t> head_axis(const Case& test_case) {
  const std::size_t axes = scores_shape(test_case).size();
  const bool has_heads = test_case.kind == Kind::multi_head_attention ||
                         test_case.kind == Kind::grouped_query_attention ||
                         axes == 4;
  return has_heads ? std::optional(axes - 3) : std::nullopt;
}

// The task's axes in the order of the layout; without heads, or without a batch
// to be outside of, that is the task's own.
std::vector<int> axes_in(WeightsLayout layout, const Case& test_case) {
  std::vector<int> axes(scores_shape(test_case).size());
  std::iota(axes.begin(), axes.end(), 0);
  const auto heads = head_axis(test_case);
  if (heads && layout == WeightsLayout::tokens_first) {
    std::swap(axes[*heads], axes[*heads + 1]);
  }
  if (heads && *heads > 0 && layout == WeightsLayout::heads_outside) {
    std::swap(axes[*heads], axes[*heads - 1]);
  }
  return axes;
}

bool is_merged(WeightsLayout layout, const Case& test_case) {
  return layout == WeightsLayout::merged &&
         head_axis(test_case).value_or(0) > 0;
}

reference::Shape shape_in(WeightsLayout layout, const Case& test_case) {
  const reference::Shape usual = scores_shape(test_case);
  reference::Shape shape;
  for (const int axis : axes_in(layout, test_case)) {
    shape.push_back(usual[static_cast<std::size_t>(axis)]);
  }
  if (is_merged(layout, test_case)) {
    shape[1] *= shape[0];
    shape.erase(shape.begin());
  }
  return shape;
}

bool is_in_layout(WeightsLayout layout, const ResultOrder& order,
                  const CaseObservation& observation) {
  const auto* returned = std::get_if<Returned>(&observation.outcome);
  const ResultArray* weights =
      returned == nullptr ? nullptr : result_at(order.weights, *returned);
  // Merged ones are read with the help of an output.
  return weights == nullptr ||
         (shape_in(layout, *observation.test_case) == weights->values.shape &&
          (layout != WeightsLayout::merged || returned->results.size() > 1));
}

void take_weights(const reference::Tensor& values, const RoleShapes& shapes,
                  WeightsLayout layout, CaseObservation& observation) {
  const Case& test_case = *observation.test_case;
  if (values.shape == shape_in(layout, test_case)) {
    if (is_merged(layout, test_case)) {
      return;
    }
    // Exchanging two axes undoes itself.
    observation.weights =
        reference::permute(values, axes_in(layout, test_case));
    observation.weights_source = WeightsSource::returned;
  } else if (shapes.head_averaged && values.shape == *shapes.head_averaged) {
    observation.head_averaged_weights = values;
  } else {
    add_problem(expected_text("weights", "have", values.shape, shapes.weights),
                observation);
  }
}

WeightsLayout settle_layout(const ResultOrder& order,
                            const std::vector<CaseObservation>& observations) {
  for (const WeightsLayout layout :
       {WeightsLayout::heads_first, WeightsLayout::tokens_first,
        WeightsLayout::heads_outside, WeightsLayout::merged}) {
    if (std::ranges::all_of(observations, [&](const auto& observation) {
          return is_in_layout(layout, order, observation);
        })) {
      return layout;
    }
  }
  return WeightsLayout::heads_first;
}

// What one place in the list of results holds, over all cases that returned.
struct Standing {
  std::string role;  // by its name
  std::size_t cases = 0;
  std::size_t as_output = 0;     // cases in which it has the output's shape
  std::size_t as_weights = 0;    // or the weights'
  std::size_t near_weights = 0;  // or axes of n and m, as weights have them
  std::size_t beside = 0;  // a copy of an argument, one number a query or less
  std::size_t rows = 0;
  std::size_t rows_of_one = 0;  // rows without a negative cell that sum to 1

  bool has_output_shape() const { return as_output > 0; }
  bool may_be_wrong_output() const {
    return as_weights < cases && beside < cases;
  }
  bool may_be_weights() const { return 2 * near_weights >= cases; }
  // A query that may attend to nothing has a row of its own.
  bool is_probability() const { return 4 * rows_of_one >= 3 * rows; }
};

bool fits_weights(const RoleShapes& shapes, const Case& test_case,
                  const reference::Shape& shape, bool is_alone) {
  const auto has_layout = [&](WeightsLayout layout) {
    return shape == shape_in(layout, test_case);
  };
  return (shapes.head_averaged && shape == *shapes.head_averaged) ||
         has_layout(WeightsLayout::heads_first) ||
         has_layout(WeightsLayout::tokens_first) ||
         has_layout(WeightsLayout::heads_outside) ||
         (!is_alone && has_layout(WeightsLayout::merged));
}

bool ends_as_weights(const reference::Shape& shape,
                     const reference::Shape& weights) {
  const std::size_t axes = shape.size();
  if (axes < 2) {
    return false;
  }
  const auto n = weights[weights.size() - 2];
  const auto m = weights.back();
  return (shape[axes - 2] == n && shape[axes - 1] == m) ||
         (shape[axes - 2] == m && shape[axes - 1] == n);
}

// A cache of keys and values, the logarithms of the sums, a loss. The values
// mixed wrongly may have the shape of the queries.
bool is_beside(const reference::Shape& shape, const Case& test_case,
               const reference::Shape& weights) {
  const reference::Shape queries(weights.begin(), weights.end() - 1);
  reference::Shape column = queries;
  column.push_back(1);
  return shape.size() < 2 || shape == queries || shape == column ||
         std::any_of(test_case.arguments.begin() + 1, test_case.arguments.end(),
                     [&](const auto& argument) {
                       return argument.tensor.shape == shape;
                     });
}

void count_rows(const reference::Tensor& values, Standing& standing) {
  constexpr double close = 1e-2;  // of bfloat16, too
  const auto width = static_cast<std::size_t>(values.size(-1));
  for (std::size_t start = 0; start + width <= values.data.size() && width > 0;
       start += width) {
    double sum = 0.0;
    bool is_negative = false;
    for (std::size_t i = start; i < start + width; ++i) {
      sum += values.data[i];
      is_negative |= values.data[i] < 0.0;
    }
    ++standing.rows;
    standing.rows_of_one += !is_negative && std::abs(sum - 1.0) <= close;
  }
}

void add_case(const ResultArray& result, bool is_alone, const Case& test_case,
              Standing& standing) {
  const RoleShapes shapes = role_shapes(test_case);
  const reference::Shape& shape = result.values.shape;
  const bool fits = fits_weights(shapes, test_case, shape, is_alone);
  standing.role = result.role;
  ++standing.cases;
  standing.as_output += shape == shapes.output;
  standing.as_weights += fits;
  standing.near_weights += fits || ends_as_weights(shape, shapes.weights);
  standing.beside += is_beside(shape, test_case, shapes.weights);
  if (fits) {
    count_rows(result.values, standing);
  }
}

std::vector<Standing> all_standings(
    const std::vector<CaseObservation>& observations) {
  std::vector<Standing> standings;
  for (const CaseObservation& observation : observations) {
    if (const auto* returned = std::get_if<Returned>(&observation.outcome)) {
      const auto& results = returned->results;
      standings.resize(std::max(standings.size(), results.size()));
      for (std::size_t i = 0; i < results.size(); ++i) {
        add_case(results[i], results.size() == 1, *observation.test_case,
                 standings[i]);
      }
    }
  }
  return standings;
}

std::vector<ResultOrder> possible_orders(std::size_t results) {
  std::vector<ResultOrder> orders;
  const auto at = [results](std::size_t i) {
    return i < results ? std::optional(i) : std::nullopt;
  };
  orders.reserve((results + 1) * (results + 1));
  for (std::size_t output = 0; output <= results; ++output) {
    for (std::size_t weights = 0; weights <= results; ++weights) {
      if (output != weights) {
        orders.push_back({at(output), at(weights)});
      }
    }
  }
  return orders;
}

bool has_names(const std::vector<Standing>& standings) {
  return std::ranges::any_of(
      standings, [](const Standing& one) { return !one.role.empty(); });
}

bool may_be_output(const Standing& standing, bool are_named) {
  return !are_named || standing.role == "output" ||
         standing.has_output_shape() ||
         (standing.role.empty() && standing.may_be_wrong_output());
}

// Beside an output of the right shape; where something has a name, what has
// none may just as well be the scores.
bool may_be_weights(const Standing& standing, bool are_named) {
  if (standing.role == "weights") {
    return true;
  }
  return are_named ? standing.as_weights > 0 && standing.is_probability()
                   : standing.may_be_weights();
}

bool is_admissible(const ResultOrder& order,
                   const std::vector<Standing>& standings) {
  const bool are_named = has_names(standings);
  if (!order.output) {
    return are_named || standings.size() == 1;
  }
  const Standing& output = standings[*order.output];
  const bool is_found = are_named || output.has_output_shape();
  return may_be_output(output, are_named) &&
         (!order.weights || !is_found ||
          may_be_weights(standings[*order.weights], are_named));
}

// In this order: names that some case bears out, shapes that fit, other names,
// weights that look like some.
using OrderScore = std::tuple<std::size_t, std::size_t, std::size_t, bool>;

OrderScore score_of(const ResultOrder& order,
                    const std::vector<Standing>& standings) {
  std::size_t borne_out = 0;
  std::size_t fitting = 0;
  std::size_t named = 0;
  const auto add = [&](std::size_t fits, bool is_named) {
    borne_out += is_named && fits > 0;
    fitting += fits;
    named += is_named;
  };
  bool is_probability = false;
  if (order.output) {
    const Standing& output = standings[*order.output];
    add(output.as_output, output.role == "output");
  }
  if (order.weights) {
    const Standing& weights = standings[*order.weights];
    add(weights.as_weights, weights.role == "weights");
    is_probability = weights.as_weights > 0 && weights.is_probability();
  }
  return {borne_out, fitting, named, is_probability};
}

}  // namespace

RoleShapes role_shapes(const Case& test_case) {
  RoleShapes shapes;
  shapes.weights = scores_shape(test_case);
  // The output has the first argument's axes, its last one the value's width:
  // C in multi-head attention, where the heads are merged again.
  shapes.output = test_case.arguments.at(0).tensor.shape;
  if (test_case.kind != Kind::multi_head_attention) {
    shapes.output.back() = test_case.dimensions.d_v;
  }
  constexpr std::size_t with_heads = 4;  // (B, H, n, m)
  if (test_case.kind == Kind::multi_head_attention ||
      shapes.weights.size() == with_heads) {
    reference::Shape averaged = shapes.weights;
    averaged.erase(averaged.end() - 3);
    shapes.head_averaged = std::move(averaged);
  }
  return shapes;
}

void sort_by_role(Outcome& outcome) {
  if (auto* returned = std::get_if<Returned>(&outcome)) {
    std::ranges::stable_sort(returned->results, {}, [](const ResultArray& one) {
      return one.role == "output" ? 0 : one.role == "weights" ? 1 : 2;
    });
  }
}

ResultOrder settle_order(const std::vector<CaseObservation>& observations) {
  const std::vector<Standing> standings = all_standings(observations);
  if (standings.empty()) {
    return {0, 1};
  }
  ResultOrder best;
  std::optional<OrderScore> best_score;
  for (const ResultOrder& order : possible_orders(standings.size())) {
    if (is_admissible(order, standings)) {
      const OrderScore score = score_of(order, standings);
      if (!best_score || score > *best_score) {
        best = order;
        best_score = score;
      }
    }
  }
  best.layout = settle_layout(best, observations);
  return best;
}

std::string to_string(WeightsLayout layout) {
  switch (layout) {
    case WeightsLayout::heads_first:
      return "(B, H, n, m)";
    case WeightsLayout::tokens_first:
      return "(B, n, H, m)";
    case WeightsLayout::heads_outside:
      return "(H, B, n, m)";
    case WeightsLayout::merged:
      return "(B*H, n, m)";
  }
  return "";
}

const reference::Tensor* merged_weights(const ResultOrder& order,
                                        const CaseObservation& observation) {
  const auto* returned = std::get_if<Returned>(&observation.outcome);
  const Case& test_case = *observation.test_case;
  if (returned == nullptr || !is_merged(order.layout, test_case)) {
    return nullptr;
  }
  const ResultArray* weights = result_at(order.weights, *returned);
  return weights != nullptr &&
                 weights->values.shape == shape_in(order.layout, test_case)
             ? &weights->values
             : nullptr;
}

reference::Tensor split_merged(const reference::Tensor& merged, OuterAxis outer,
                               const Case& test_case) {
  reference::Shape shape = scores_shape(test_case);
  if (outer == OuterAxis::batch) {
    return reference::reshape(merged, shape);
  }
  std::swap(shape[0], shape[1]);
  return reference::permute(reference::reshape(merged, shape), {1, 0, 2, 3});
}

void assign_roles(const ResultOrder& order, CaseObservation& observation) {
  const auto* returned = std::get_if<Returned>(&observation.outcome);
  if (returned == nullptr) {
    return;
  }
  const RoleShapes shapes = role_shapes(*observation.test_case);
  observation.input_mutated = returned->input_mutated;
  if (const ResultArray* output = result_at(order.output, *returned)) {
    observation.output_dtype = role_dtype(output->dtype, observation);
    take_output(output->values, shapes, observation);
  }
  if (const ResultArray* weights = result_at(order.weights, *returned)) {
    observation.weights_dtype = role_dtype(weights->dtype, observation);
    take_weights(weights->values, shapes, order.layout, observation);
  }
  if (!returned->problem.empty()) {
    add_problem(returned->problem, observation);
  }
  if (!observation.shape_problem.empty()) {
    for (const ResultArray& result : returned->results) {
      observation.result_shapes.push_back(result.values.shape);
    }
  }
}

}  // namespace grader
