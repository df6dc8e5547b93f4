// SPDX-License-Identifier: MIT
#include "grader/example/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/example/small_inputs.hpp"
#include "grader/fixture/words.hpp"
#include "grader/worker/fake_worker.hpp"
#include "tests/catch.hpp"

using namespace grader;
using reference::Attention;
using reference::Tensor;

namespace {

Case case_of(const Call& call) {
  Case result;
  result.kind = call.kind;
  result.mask_mode = call.mask_mode;
  result.rank = call.rank;
  result.dimensions = call.dimensions;
  result.arguments = call.arguments;
  result.mask = call.mask;
  return result;
}

Outcome both(const Attention& answer) {
  return Returned{{{"output", DType::float64, answer.output},
                   {"weights", DType::float64, answer.weights}}};
}

Outcome right(const Call& call) {
  return both(evaluate_reference(case_of(call)));
}

// The scores are divided by d_k: as if q were smaller.
Outcome divided_by_dk(const Call& call) {
  Case scaled = case_of(call);
  const auto d_k = static_cast<double>(call.dimensions.d_k);
  for (double& value : scaled.arguments[0].tensor.data) {
    value /= std::sqrt(d_k);
  }
  return both(evaluate_reference(scaled));
}

Outcome uniform(const Call& call) {
  Attention answer = evaluate_reference(case_of(call));
  for (double& weight : answer.weights.data) {
    weight = 1.0 / static_cast<double>(call.dimensions.m);
  }
  return both(answer);
}

// What a task's cases showed: wrong numbers on these ranks.
struct Seen {
  Case task;
  Observations observations;
  Diagnosis diagnosis;

  explicit Seen(const std::vector<int>& ranks, Kind kind = Kind::attention,
                MaskMode mask_mode = MaskMode::none) {
    task = small_inputs(kind, mask_mode, ranks.front()).front();
    CaseObservation observation;
    observation.test_case = &task;
    observations.cases = {observation};
    diagnosis.verdict = Verdict::unclassified;
    for (const int rank : ranks) {
      CaseResult result;
      result.rank = rank;
      result.outcome = "returned";
      diagnosis.cases.push_back(result);
    }
  }

  std::optional<SmallestExample> example(FakeWorker& worker) const {
    Match match;
    match.callable.name = "attention";
    return find_smallest_example(worker, match, observations, diagnosis);
  }
};

}  // namespace

TEST_CASE("a division by d_k is shown with ones and zeros", "[shrink]") {
  FakeWorker worker(divided_by_dk);
  const auto example = Seen({2, 3, 4}).example(worker);
  REQUIRE(example.has_value());
  for (const NamedTensor& argument : example->arguments) {
    CHECK(argument.tensor == Tensor({2, 2}, {1, 0, 0, 1}));
  }
  CHECK(example->what == "weights");
  CHECK(example->expected.data[0] ==
        Approx(1 / (1 + std::exp(-std::sqrt(0.5)))));
  CHECK(example->actual.data[0] == Approx(1 / (1 + std::exp(-0.5))));
  CHECK(example->error == Approx(0.0473).epsilon(0.01));
  CHECK(example->worked ==
        "scores of query 0: 1*1 + 0*0 = 1, 1*0 + 0*1 = 0; divided by sqrt(2): "
        "0.707, 0; softmax: 0.670, 0.330");
  CHECK(example->python.back() == "attention(q, k, v)");
  CHECK(worker.calls < 10);
}

TEST_CASE("a fault is found in every kind, mask mode and rank", "[shrink]") {
  for (const Kind kind :
       {Kind::attention, Kind::self_attention, Kind::multi_head_attention,
        Kind::grouped_query_attention}) {
    for (const MaskMode mode :
         {MaskMode::none, MaskMode::masked, MaskMode::causal}) {
      for (const int rank : possible_ranks(kind)) {
        CAPTURE(to_string(kind), to_string(mode), rank);
        FakeWorker worker(uniform);
        const auto example = Seen({rank}, kind, mode).example(worker);
        REQUIRE(example.has_value());
        CHECK(example->arguments[0].tensor.rank() == rank);
        CHECK(example->mask.has_value() == (mode == MaskMode::masked));
        CHECK(example->error > 0.02);
      }
    }
  }
}

TEST_CASE("what only large scores show is shown by large scores", "[shrink]") {
  FakeWorker worker([](const Call& call) {
    Attention answer = evaluate_reference(case_of(call));
    if (max_abs_score(case_of(call)) > 709.0) {
      std::ranges::fill(answer.weights.data,
                        std::numeric_limits<double>::quiet_NaN());
    }
    return both(answer);
  });
  const auto example = Seen({2}).example(worker);
  REQUIRE(example.has_value());
  CHECK(std::isinf(example->error));
  CHECK(std::isnan(example->actual.data[0]));
  CHECK(worker.calls <= 40);
}

TEST_CASE("what only a batch shows is shown by a batch", "[shrink]") {
  FakeWorker worker([](const Call& call) {
    return call.dimensions.batch > 1 ? uniform(call) : right(call);
  });
  const auto example = Seen({2, 3, 4}).example(worker);
  REQUIRE(example.has_value());
  CHECK(example->expected.shape == reference::Shape{2, 2, 2});
}

TEST_CASE("the output is compared where no weights come back", "[shrink]") {
  FakeWorker worker([](const Call& call) {
    const Outcome outcome = divided_by_dk(call);
    const auto& output = std::get<Returned>(outcome).results[0];
    return Returned{{output}};
  });
  const auto example = Seen({2}).example(worker);
  REQUIRE(example.has_value());
  CHECK(example->what == "output");
  CHECK(example->worked.ends_with(
      "; times v: 0.670*1 + 0.330*0 = 0.670, 0.670*0 + 0.330*1 = 0.330"));
}

TEST_CASE("an input that raises is passed over", "[shrink]") {
  FakeWorker worker([](const Call& call) {
    return call.dimensions.m == 2 ? Outcome(Raised{}) : uniform(call);
  });
  const auto example = Seen({2}).example(worker);
  REQUIRE(example.has_value());
  CHECK(example->expected.size(-1) == 3);
}

TEST_CASE("a second crash ends the search, a time limit at once", "[shrink]") {
  FakeWorker crashing([](const Call&) { return Crashed{11, 0}; });
  CHECK_FALSE(Seen({2, 3, 4}).example(crashing).has_value());
  CHECK(crashing.calls == 2);
  FakeWorker hanging([](const Call&) { return TimedOut{}; });
  CHECK_FALSE(Seen({2, 3, 4}).example(hanging).has_value());
  CHECK(hanging.calls == 1);
}

TEST_CASE("the search has a budget of calls and of time", "[shrink]") {
  FakeWorker worker(right);
  CHECK_FALSE(Seen({2, 3, 4}).example(worker).has_value());
  CHECK(worker.calls <= 40);
  FakeWorker slow(right);
  slow.seconds_of_a_call = 1.0;
  CHECK_FALSE(Seen({2, 3, 4}).example(slow).has_value());
  CHECK(slow.calls == 2);
}

TEST_CASE("an answer that is not repeated is no example", "[shrink]") {
  int calls = 0;
  FakeWorker worker([&calls](const Call& call) {
    return ++calls == 1 ? uniform(call) : right(call);
  });
  CHECK_FALSE(Seen({2}).example(worker).has_value());
}

TEST_CASE("only wrong numbers that come back twice are searched for",
          "[shrink]") {
  FakeWorker worker(uniform);
  Seen correct({2});
  correct.diagnosis.verdict = Verdict::correct;
  CHECK_FALSE(correct.example(worker).has_value());
  Seen changing({2});
  changing.observations.same_answer_twice = false;
  CHECK_FALSE(changing.example(worker).has_value());
  Seen stateful({2});
  stateful.diagnosis.faults = {"stateful"};
  CHECK_FALSE(stateful.example(worker).has_value());
  Seen raising({2});
  raising.diagnosis.cases[0].outcome = "raised";
  CHECK_FALSE(raising.example(worker).has_value());
  CHECK(worker.calls == 0);
}
