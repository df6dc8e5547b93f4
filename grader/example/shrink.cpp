// SPDX-License-Identifier: MIT
#include "grader/example/shrink.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "grader/example/mismatch.hpp"
#include "grader/example/simpler.hpp"
#include "grader/example/small_inputs.hpp"
#include "grader/example/snippet.hpp"
#include "grader/example/worked_row.hpp"
#include "grader/worker/result_roles.hpp"

namespace grader {
namespace {

constexpr int most_calls = 40;
constexpr int most_calls_to_find = 28;
constexpr double most_seconds = 2.0;
// A difference that two decimals show.
constexpr double clearly_wrong = 0.02;
// Of faults that are nowhere clear on small inputs, the epsilon in the
// denominator for one; far beyond the rounding of single precision.
constexpr double just_visible = 1e-4;

struct Finding {
  Case input;
  Mismatch mismatch;
};

// Calls the submission as long as the budget lasts.
class Caller {
 public:
  Caller(Worker& worker, const Match& match, ResultOrder order)
      : worker_(worker),
        match_(match),
        order_(order),
        first_second_(worker.cpu_seconds()) {}

  bool can_call(int calls_in_all) const {
    return !is_stopped_ && calls_ < calls_in_all &&
           worker_.cpu_seconds() - first_second_ < most_seconds;
  }

  // How wrong the answer is; nothing where it is right, or none.
  std::optional<Mismatch> mismatch(const Case& input, double least) {
    CaseObservation observation;
    observation.test_case = &input;
    observation.outcome = worker_.call(match_, make_call(input));
    ++calls_;
    note_end(observation.outcome);
    assign_roles(order_, observation);
    return find_mismatch(observation, least);
  }

 private:
  // A crash costs a new process: one may be an accident of this input. After
  // any other end there is no time left, or no sense in going on.
  void note_end(const Outcome& outcome) {
    const bool crashed = std::holds_alternative<Crashed>(outcome);
    is_stopped_ = (crashed && has_crashed_) ||
                  (!crashed && !std::holds_alternative<Returned>(outcome) &&
                   !std::holds_alternative<Raised>(outcome));
    has_crashed_ = has_crashed_ || crashed;
  }

  Worker& worker_;
  const Match& match_;
  ResultOrder order_;
  double first_second_;
  int calls_ = 0;
  bool has_crashed_ = false;
  bool is_stopped_ = false;
};

bool is_clear(const Mismatch& mismatch) {
  return mismatch.is_finite && mismatch.error > clearly_wrong;
}

// NaN is plain to see, a faint difference is better than none.
bool is_clearer(const Mismatch& one, const Mismatch& other) {
  if (one.is_finite != other.is_finite) {
    return other.is_finite;
  }
  return one.is_finite && one.error > other.error;
}

// The first input that shows it clearly, else the one that shows it best.
std::optional<Finding> find(Caller& caller, const std::vector<Case>& inputs,
                            double least) {
  std::optional<Finding> best;
  for (const Case& input : inputs) {
    if (!caller.can_call(most_calls_to_find)) {
      break;
    }
    const auto mismatch = caller.mismatch(input, least);
    if (!mismatch) {
      continue;
    }
    if (is_clear(*mismatch)) {
      return Finding{input, *mismatch};
    }
    if (!best || is_clearer(*mismatch, best->mismatch)) {
      best = Finding{input, *mismatch};
    }
  }
  return best;
}

// Keeps a change where the same numbers stay wrong in the same manner.
class Shrinker {
 public:
  Shrinker(Caller& caller, Finding& finding)
      : caller_(caller),
        finding_(finding),
        least_(std::min(clearly_wrong, finding.mismatch.error / 2.0)) {}

  void run() {
    const std::size_t count = finding_.input.arguments.size();
    std::vector<bool> is_simple(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      is_simple[i] = simplify_whole(i);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_simple[i]) {
        simplify_entries(i);
      }
    }
  }

  // The same input must show the same again: what differs from call to call
  // is no example.
  bool confirm() {
    const auto again = caller_.mismatch(finding_.input, least_);
    return again && again->what == finding_.mismatch.what &&
           again->row == finding_.mismatch.row &&
           again->is_finite == finding_.mismatch.is_finite;
  }

 private:
  bool simplify_whole(std::size_t number) {
    const NamedTensor& argument = finding_.input.arguments[number];
    for (reference::Tensor& simple : simple_forms(argument)) {
      if (simple == argument.tensor || keeps_wrong(number, std::move(simple))) {
        return true;
      }
    }
    return false;
  }

  void simplify_entries(std::size_t number) {
    const std::size_t size =
        finding_.input.arguments[number].tensor.data.size();
    for (std::size_t i = 0; i < size; ++i) {
      for (const double value :
           simpler_numbers(finding_.input.arguments[number].tensor.data[i])) {
        reference::Tensor changed = finding_.input.arguments[number].tensor;
        changed.data[i] = value;
        if (keeps_wrong(number, std::move(changed))) {
          break;
        }
      }
    }
  }

  bool keeps_wrong(std::size_t number, reference::Tensor tensor) {
    // One call is kept for the confirmation.
    if (!caller_.can_call(most_calls - 1)) {
      return false;
    }
    Case changed = finding_.input;
    changed.arguments[number].tensor = std::move(tensor);
    changed.expected = evaluate_reference(changed);
    auto mismatch = caller_.mismatch(changed, least_);
    const bool is_wrong = mismatch &&
                          mismatch->what == finding_.mismatch.what &&
                          mismatch->is_finite == finding_.mismatch.is_finite;
    if (is_wrong) {
      finding_ = {std::move(changed), std::move(*mismatch)};
    }
    return is_wrong;
  }

  Caller& caller_;
  Finding& finding_;
  double least_;
};

// Ranks on which wrong numbers came back.
std::set<int> wrong_ranks(const Diagnosis& diagnosis) {
  std::set<int> ranks;
  for (const CaseResult& result : diagnosis.cases) {
    if (result.outcome == "returned" && !result.passed && !result.excluded) {
      ranks.insert(result.rank);
    }
  }
  return ranks;
}

bool has(const std::vector<std::string>& names, const char* name) {
  return std::ranges::find(names, name) != names.end();
}

bool can_have_example(const Observations& observations,
                      const Diagnosis& diagnosis) {
  const bool is_wrong = diagnosis.verdict == Verdict::faulty ||
                        diagnosis.verdict == Verdict::unclassified;
  return is_wrong && observations.same_answer_twice.value_or(true) &&
         !has(diagnosis.faults, "nondeterministic") &&
         !has(diagnosis.faults, "stateful");
}

std::vector<Case> inputs_to_try(const Observations& observations,
                                const Diagnosis& diagnosis) {
  std::vector<Case> inputs;
  for (const int rank : wrong_ranks(diagnosis)) {
    const Case& task = *observations.cases.front().test_case;
    std::ranges::move(small_inputs(task.kind, task.mask_mode, rank),
                      std::back_inserter(inputs));
  }
  return inputs;
}

SmallestExample describe(const Finding& finding, const Match& match) {
  const Case& input = finding.input;
  const Mismatch& mismatch = finding.mismatch;
  SmallestExample example;
  example.mask = input.mask;
  example.heads =
      input.kind == Kind::multi_head_attention ? input.dimensions.heads : 0;
  example.what = mismatch.what;
  const bool shows_weights = mismatch.what == "weights";
  example.expected =
      shows_weights ? input.expected.weights : input.expected.output;
  example.actual = mismatch.actual;
  example.row = mismatch.row;
  example.error = mismatch.error;
  example.worked = shows_weights ? work_out_weights(input, mismatch.row)
                                 : work_out_output(input, mismatch.row);
  example.python = python_lines(input, match);
  example.arguments = input.arguments;
  return example;
}

}  // namespace

std::optional<SmallestExample> find_smallest_example(
    Worker& worker, const Match& match, const Observations& observations,
    const Diagnosis& diagnosis) {
  if (!can_have_example(observations, diagnosis)) {
    return std::nullopt;
  }
  const std::vector<Case> inputs = inputs_to_try(observations, diagnosis);
  // Half precision alone may be off by a faint difference, which is no fault;
  // so is a result that was rounded for print.
  const bool is_coarse = has(diagnosis.notes, "half-precision") ||
                         has(diagnosis.notes, "rounded-output");
  const double least = is_coarse ? clearly_wrong : just_visible;
  Caller caller(worker, match, settle_order(observations.cases));
  std::optional<Finding> finding = find(caller, inputs, least);
  if (!finding) {
    return std::nullopt;
  }
  Shrinker shrinker(caller, *finding);
  shrinker.run();
  if (!caller.can_call(most_calls) || !shrinker.confirm()) {
    return std::nullopt;
  }
  return describe(*finding, match);
}

}  // namespace grader
