// SPDX-License-Identifier: MIT
#include "grader/worker/result_roles.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace grader {
namespace {

bool has_named(const Returned& returned) {
  return std::any_of(
      returned.results.begin(), returned.results.end(),
      [](const ResultArray& result) { return !result.role.empty(); });
}

bool fits_weights(const RoleShapes& shapes, const reference::Shape& shape) {
  return shape == shapes.weights ||
         (shapes.head_averaged && shape == *shapes.head_averaged);
}

const Returned* unnamed_results(const CaseObservation& observation) {
  const auto* returned = std::get_if<Returned>(&observation.outcome);
  return returned != nullptr && !has_named(*returned) ? returned : nullptr;
}

// How many arrays have the shape of the role that the order gives them.
std::size_t count_fitting(const ResultOrder& order,
                          const CaseObservation& observation) {
  const Returned* returned = unnamed_results(observation);
  if (returned == nullptr) {
    return 0;
  }
  const RoleShapes shapes = role_shapes(*observation.test_case);
  const auto& results = returned->results;
  const auto shape_of = [&](const std::optional<std::size_t>& position) {
    return position && *position < results.size()
               ? &results[*position].values.shape
               : nullptr;
  };
  const reference::Shape* output = shape_of(order.output);
  const reference::Shape* weights = shape_of(order.weights);
  return (output != nullptr && *output == shapes.output ? 1U : 0U) +
         (weights != nullptr && fits_weights(shapes, *weights) ? 1U : 0U);
}

std::vector<ResultOrder> possible_orders(std::size_t results) {
  if (results <= 1) {
    return {{0, std::nullopt}, {std::nullopt, 0}};
  }
  std::vector<ResultOrder> orders;
  for (std::size_t output = 0; output < results; ++output) {
    for (std::size_t weights = 0; weights < results; ++weights) {
      if (output != weights) {
        orders.push_back({output, weights});
      }
    }
  }
  return orders;
}

// Lowest precision first.
int precision_rank(DType dtype) {
  switch (dtype) {
    case DType::bfloat16:
      return 0;
    case DType::float16:
      return 1;
    case DType::float32:
      return 2;
    case DType::float64:
      return 3;
    case DType::integer:
    case DType::boolean:
      return 4;
  }
  return 4;
}

void note_dtypes(const Returned& returned, CaseObservation& observation) {
  constexpr int floating = 3;
  for (const ResultArray& result : returned.results) {
    if (precision_rank(result.dtype) > floating) {
      observation.integer_result = true;
    } else if (precision_rank(result.dtype) <
               precision_rank(observation.dtype)) {
      observation.dtype = result.dtype;
    }
  }
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

// The array that has the role of the weights, by name or by order.
const reference::Tensor* returned_weights(const ResultOrder& order,
                                          const Returned& returned) {
  if (has_named(returned)) {
    const auto named =
        std::ranges::find(returned.results, "weights", &ResultArray::role);
    return named == returned.results.end() ? nullptr : &named->values;
  }
  return order.weights && *order.weights < returned.results.size()
             ? &returned.results[*order.weights].values
             : nullptr;
}

bool is_in_layout(WeightsLayout layout, const ResultOrder& order,
                  const CaseObservation& observation) {
  const auto* returned = std::get_if<Returned>(&observation.outcome);
  const reference::Tensor* weights =
      returned == nullptr ? nullptr : returned_weights(order, *returned);
  // Merged ones are read with the help of an output.
  return weights == nullptr ||
         (shape_in(layout, *observation.test_case) == weights->shape &&
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

void assign_named(const Returned& returned, const RoleShapes& shapes,
                  WeightsLayout layout, CaseObservation& observation) {
  for (const ResultArray& result : returned.results) {
    if (result.role == "output") {
      take_output(result.values, shapes, observation);
    } else if (result.role == "weights") {
      take_weights(result.values, shapes, layout, observation);
    }
  }
}

void assign_by_order(const Returned& returned, const ResultOrder& order,
                     const RoleShapes& shapes, CaseObservation& observation) {
  const auto& results = returned.results;
  if (order.output && *order.output < results.size()) {
    take_output(results[*order.output].values, shapes, observation);
  }
  if (order.weights && *order.weights < results.size()) {
    take_weights(results[*order.weights].values, shapes, order.layout,
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

ResultOrder settle_order(const std::vector<CaseObservation>& observations) {
  std::size_t most = 0;
  for (const CaseObservation& observation : observations) {
    if (const Returned* returned = unnamed_results(observation)) {
      most = std::max(most, returned->results.size());
    }
  }
  ResultOrder best;
  std::optional<std::size_t> best_count;
  for (const ResultOrder& order : possible_orders(most)) {
    std::size_t count = 0;
    for (const CaseObservation& observation : observations) {
      count += count_fitting(order, observation);
    }
    if (!best_count || count > *best_count) {
      best = order;
      best_count = count;
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
  const reference::Tensor* weights = returned_weights(order, *returned);
  return weights != nullptr &&
                 weights->shape == shape_in(order.layout, test_case)
             ? weights
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
  note_dtypes(*returned, observation);
  if (has_named(*returned)) {
    assign_named(*returned, shapes, order.layout, observation);
  } else {
    assign_by_order(*returned, order, shapes, observation);
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
