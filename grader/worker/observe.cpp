// SPDX-License-Identifier: MIT
#include "grader/worker/observe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "grader/worker/decimal_grid.hpp"
#include "grader/worker/recover.hpp"
#include "grader/worker/result_roles.hpp"

namespace grader {
namespace {

// Another order of summation, as threads bring it about, is the same answer; as
// in the native host's comparison of its two forms.
bool same_numbers(const std::optional<reference::Tensor>& a,
                  const std::optional<reference::Tensor>& b, double allowed) {
  if (!a || !b || a->shape != b->shape) {
    return a.has_value() == b.has_value() && !a;
  }
  return std::ranges::equal(a->data, b->data, [allowed](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y)) ||
           std::abs(x - y) <= allowed * std::max(1.0, std::abs(x));
  });
}

// A result without a role, the seconds that it took, may be another each time.
bool same_answer(const CaseObservation& a, const CaseObservation& b) {
  const bool is_exact =
      a.output_dtype == DType::float64 && a.weights_dtype == DType::float64;
  const double allowed = is_exact ? 1e-9 : 1e-4;
  return a.output_dtype == b.output_dtype &&
         a.weights_dtype == b.weights_dtype &&
         a.shape_problem == b.shape_problem &&
         same_numbers(a.output, b.output, allowed) &&
         same_numbers(a.weights, b.weights, allowed) &&
         same_numbers(a.head_averaged_weights, b.head_averaged_weights,
                      allowed);
}

// How many weights are nearer in `first` than in `second`, less those that are
// farther; NaN is infinitely far. Counted, not measured, so that no outlier
// speaks for all the others.
std::int64_t count_nearer(const reference::Tensor& weights,
                          const reference::Tensor& first,
                          const reference::Tensor& second) {
  const auto distance = [](double a, double b) {
    const double difference = std::abs(a - b);
    return std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                  : difference;
  };
  std::int64_t count = 0;
  for (std::size_t i = 0; i < weights.data.size(); ++i) {
    const double to_first = distance(first.data[i], weights.data[i]);
    const double to_second = distance(second.data[i], weights.data[i]);
    count += to_first < to_second ? 1 : 0;
    count -= to_second < to_first ? 1 : 0;
  }
  return count;
}

// Another x, and a mask that hides nothing.
Call with_other_input(Call call) {
  for (double& value : call.arguments.front().tensor.data) {
    value = -0.5 * value;
  }
  if (call.mask) {
    std::ranges::fill(call.mask->data, 1);
  }
  return call;
}

// What an adapter does the second time is nobody's doing.
bool is_raised_by_submission(const Outcome& outcome) {
  const auto* raised = std::get_if<Raised>(&outcome);
  return raised != nullptr && raised->adapter.empty();
}

Call to_same_object(Call call) {
  call.same_object = true;
  return call;
}

class Observer {
 public:
  Observer(Worker& worker, const Match& match)
      : worker_(worker), match_(match) {}

  Observations run(const std::vector<Case>& cases) {
    for (const Case& test_case : cases) {
      CaseObservation observation;
      observation.test_case = &test_case;
      observation.outcome = worker_.call(match_, make_call(test_case));
      sort_by_role(observation.outcome);
      result_.cases.push_back(std::move(observation));
    }
    order_ = settle_order(result_.cases);
    note_layout(order_.layout);
    for (CaseObservation& observation : result_.cases) {
      assign_roles(order_, observation);
      note_second_form(observation);
    }
    for (CaseObservation& observation : result_.cases) {
      if (observation.output && !observation.weights) {
        recover_weights(observation);
      }
    }
    read_merged_weights();
    find_grids();
    call_again();
    return std::move(result_);
  }

 private:
  void note_layout(WeightsLayout layout) {
    if (layout != WeightsLayout::heads_first &&
        layout != WeightsLayout::merged) {
      note_weights(layout, "");
    }
  }

  void note_weights(WeightsLayout layout, const std::string& reading) {
    result_.conventions.push_back("returns weights of " + to_string(layout) +
                                  reading);
  }

  // How merged weights are to be read is told by those that were recovered,
  // over all cases; it is the returned ones that are judged. Where none could
  // be recovered the output decides.
  void read_merged_weights() {
    const auto outer = outer_axis();
    if (!outer) {
      return;
    }
    for (CaseObservation& observation : result_.cases) {
      if (const auto* merged = merged_weights(order_, observation)) {
        observation.weights =
            split_merged(*merged, *outer, *observation.test_case);
        observation.weights_source = WeightsSource::returned;
        observation.recovery_growth = 1.0;
      }
    }
    note_weights(order_.layout, *outer == OuterAxis::batch
                                    ? ", read with the batch outside"
                                    : ", read with the heads outside");
  }

  std::optional<OuterAxis> outer_axis() const {
    std::optional<std::int64_t> for_heads;
    for (const CaseObservation& observation : result_.cases) {
      const auto* merged = merged_weights(order_, observation);
      if (merged != nullptr && observation.weights) {
        const Case& test_case = *observation.test_case;
        for_heads =
            for_heads.value_or(0) +
            count_nearer(*observation.weights,
                         split_merged(*merged, OuterAxis::heads, test_case),
                         split_merged(*merged, OuterAxis::batch, test_case));
      }
    }
    if (!for_heads) {
      return std::nullopt;
    }
    return *for_heads > 0 ? OuterAxis::heads : OuterAxis::batch;
  }

  void find_grids() {
    std::vector<const reference::Tensor*> outputs;
    std::vector<const reference::Tensor*> weights;
    double output_roundoff = 0.0;
    double weights_roundoff = 0.0;
    for (const CaseObservation& one : result_.cases) {
      if (one.output) {
        outputs.push_back(&*one.output);
        output_roundoff =
            std::max(output_roundoff, unit_roundoff(one.output_dtype));
      }
      if (one.weights && one.weights_source == WeightsSource::returned) {
        weights.push_back(&*one.weights);
        weights_roundoff =
            std::max(weights_roundoff, unit_roundoff(one.weights_dtype));
      }
    }
    const double output_grid = decimal_grid(outputs, output_roundoff);
    const double weights_grid = decimal_grid(weights, weights_roundoff);
    for (CaseObservation& one : result_.cases) {
      one.output_grid = output_grid;
      one.weights_grid = weights_grid;
    }
  }

  void note_second_form(const CaseObservation& observation) {
    const auto* returned = std::get_if<Returned>(&observation.outcome);
    if (returned != nullptr && returned->same_without_weights) {
      result_.same_without_weights =
          result_.same_without_weights.value_or(true) &&
          *returned->same_without_weights;
    }
  }

  void recover_weights(CaseObservation& observation) {
    const Case& test_case = *observation.test_case;
    const std::vector<RecoveryCall> calls = recovery_calls(test_case);
    reference::Tensor weights(scores_shape(test_case));
    for (const RecoveryCall& recovery : calls) {
      const auto output = output_of(recovery, test_case);
      if (!output) {
        return;
      }
      take_columns(test_case, recovery, *output, weights);
    }
    // Zero times infinity is NaN: one-hot values blur where infinities stood,
    // so there the output decides.
    const bool is_finite = std::ranges::all_of(
        weights.data, [](double weight) { return std::isfinite(weight); });
    if (!calls.empty() && is_finite) {
      observation.weights = std::move(weights);
      observation.weights_source = WeightsSource::recovered;
      observation.recovery_growth = recovery_growth(test_case, calls);
    }
  }

  // The output of a recovery call where it has the shape that it must have.
  std::optional<reference::Tensor> output_of(const RecoveryCall& recovery,
                                             const Case& test_case) {
    const Outcome outcome = call_besides(recovery.call);
    const auto* returned = std::get_if<Returned>(&outcome);
    if (returned == nullptr) {
      return std::nullopt;
    }
    const auto& results = returned->results;
    if (order_.output && *order_.output < results.size() &&
        results[*order_.output].values.shape == recovery_shape(test_case)) {
      return results[*order_.output].values;
    }
    return std::nullopt;
  }

  Outcome call_besides(const Call& call) {
    Outcome outcome = worker_.call(match_, call);
    sort_by_role(outcome);
    if (!std::holds_alternative<Returned>(outcome) &&
        !std::holds_alternative<Raised>(outcome)) {
      result_.further_mishaps.push_back(outcome);
    }
    return outcome;
  }

  // As it came, nothing recovered.
  CaseObservation with_roles(const Case& test_case, const Outcome& outcome) {
    CaseObservation observation;
    observation.test_case = &test_case;
    observation.outcome = outcome;
    assign_roles(order_, observation);
    return observation;
  }

  void call_again() {
    for (const CaseObservation& first : result_.cases) {
      if (!std::holds_alternative<Returned>(first.outcome)) {
        continue;
      }
      const Case& test_case = *first.test_case;
      const Outcome again = call_besides(make_call(test_case));
      if (is_raised_by_submission(again)) {
        // It has used something up. That is no other answer.
        result_.further_mishaps.push_back(again);
        return;
      }
      compare(test_case, again, first.outcome);
      if (match_.module && result_.same_answer_twice.value_or(false)) {
        call_after_others(test_case);
      }
      return;
    }
  }

  // What an object remembers of one input must not show in its answer to
  // another, whichever comes first.
  void call_after_others(const Case& test_case) {
    const Call call = make_call(test_case);
    const Call other = with_other_input(call);
    const Outcome second = call_besides(to_same_object(other));
    const Outcome first = call_besides(other);
    compare(test_case, second, first);
    if (result_.same_answer_twice.value_or(false)) {
      const Outcome later = call_besides(to_same_object(call));
      compare(test_case, later, call_besides(call));
    }
  }

  void compare(const Case& test_case, const Outcome& later,
               const Outcome& alone) {
    if (!std::holds_alternative<Returned>(alone)) {
      return;
    }
    if (std::holds_alternative<Returned>(later)) {
      result_.same_answer_twice = same_answer(with_roles(test_case, alone),
                                              with_roles(test_case, later));
    } else if (is_raised_by_submission(later)) {
      result_.same_answer_twice = false;
    }
  }

  Worker& worker_;
  const Match& match_;
  ResultOrder order_;
  Observations result_;
};

}  // namespace

Observations observe(Worker& worker, const Match& match,
                     const std::vector<Case>& cases) {
  return Observer(worker, match).run(cases);
}

}  // namespace grader
