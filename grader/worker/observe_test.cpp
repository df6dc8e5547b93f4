// SPDX-License-Identifier: MIT
#include "grader/worker/observe.hpp"

#include <cmath>
#include <functional>

#include "grader/worker/fake_worker.hpp"
#include "grader/worker/result_roles.hpp"
#include "reference/multi_head.hpp"
#include "reference/random.hpp"
#include "tests/catch.hpp"

using namespace grader;
using reference::Attention;
using reference::Shape;
using reference::Tensor;

namespace {

Case make_case(Kind kind, int rank, const Dimensions& dimensions) {
  Case result;
  result.name = "case";
  result.kind = kind;
  result.rank = rank;
  result.dimensions = dimensions;
  reference::Random random(1);
  for (const auto& [name, shape] : argument_shapes(kind, rank, dimensions)) {
    result.arguments.push_back({name, random.standard_normal(shape)});
  }
  return result;
}

Dimensions plain(std::int64_t batch, std::int64_t n, std::int64_t m,
                 std::int64_t d_v) {
  Dimensions dimensions;
  dimensions.batch = batch;
  dimensions.n = n;
  dimensions.m = m;
  dimensions.d_k = 4;
  dimensions.d_v = d_v;
  return dimensions;
}

Dimensions heads_of(std::int64_t batch, std::int64_t n, std::int64_t heads,
                    std::int64_t width) {
  Dimensions dimensions;
  dimensions.batch = batch;
  dimensions.heads = heads;
  dimensions.n = n;
  dimensions.m = n;
  dimensions.d_k = width;
  dimensions.d_v = width;
  dimensions.d_model = heads * width;
  return dimensions;
}

// The reference on the arguments of a call.
Attention right_answer(const Call& call) {
  const auto& a = call.arguments;
  const auto t = [&](std::size_t i) -> const Tensor& { return a[i].tensor; };
  switch (call.kind) {
    case Kind::attention:
      return reference::attention(t(0), t(1), t(2), call.mask);
    case Kind::self_attention:
      return reference::self_attention(t(0), t(1), t(2), t(3), call.mask);
    case Kind::multi_head_attention:
      return reference::multi_head_attention(
          t(0), {t(1), t(2), t(3), t(4), call.dimensions.heads}, call.mask);
    case Kind::grouped_query_attention:
      return reference::grouped_query_attention(t(0), t(1), t(2), call.mask);
  }
  return {};
}

ResultArray result(const Tensor& values, const std::string& role = "") {
  return {role, DType::float64, values};
}

Outcome output_only(const Call& call) {
  return Returned{{result(right_answer(call).output)}};
}

Observations observed(FakeWorker& worker, const std::vector<Case>& cases) {
  return observe(worker, Match{}, cases);
}

double largest_difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape == b.shape);
  double largest = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    largest = std::fmax(largest, std::fabs(a.data[i] - b.data[i]));
  }
  return largest;
}

// The weights of a function that returns only its output are those of the
// reference.
void check_recovery(const Case& test_case, int expected_calls) {
  FakeWorker worker(output_only);
  const std::vector<Case> cases{test_case};
  const Observations observations = observed(worker, cases);
  const CaseObservation& first = observations.cases.at(0);
  REQUIRE(first.weights.has_value());
  CHECK(first.weights_source == WeightsSource::recovered);
  CHECK(largest_difference(*first.weights,
                           right_answer(make_call(test_case)).weights) <
        1e-13 * first.recovery_growth);
  CHECK(worker.calls == 1 + expected_calls + 1);
}

using Weights = std::function<Tensor(const Tensor&)>;

// Of a function whose weights are made of the right ones.
Observations with_weights(const std::vector<Case>& cases, const Weights& made) {
  FakeWorker worker([&](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{{result(answer.output), result(made(answer.weights))}};
  });
  return observed(worker, cases);
}

Tensor merged(const Tensor& weights) {
  const Shape& shape = weights.shape;
  return reference::reshape(weights, {shape[0] * shape[1], shape[2], shape[3]});
}

Tensor filled(const Tensor& weights, double value) {
  return Tensor(merged(weights).shape, value);
}

}  // namespace

TEST_CASE("output and weights are told by their shapes", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 5, 5, 5)),  // decides nothing
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  for (const bool is_swapped : {false, true}) {
    FakeWorker worker([&](const Call& call) {
      const Attention answer = right_answer(call);
      Returned returned{{result(answer.output), result(answer.weights)}};
      if (is_swapped) {
        std::swap(returned.results[0], returned.results[1]);
      }
      return returned;
    });
    const Observations observations = observed(worker, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Attention expected = right_answer(make_call(cases[i]));
      CHECK(observations.cases[i].output == expected.output);
      CHECK(observations.cases[i].weights == expected.weights);
      CHECK(observations.cases[i].weights_source == WeightsSource::returned);
      CHECK(observations.cases[i].shape_problem.empty());
    }
    CHECK(observations.same_answer_twice == true);
    CHECK(worker.calls == 3);
  }
}

TEST_CASE("a single result may be the weights alone", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 5, 5, 5)),
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    return Returned{{result(right_answer(call).weights)}};
  });
  const Observations observations = observed(worker, cases);
  CHECK_FALSE(observations.cases[0].output.has_value());
  CHECK(observations.cases[0].weights.has_value());
  CHECK(worker.calls == 3);
}

TEST_CASE("extra results that fit no role are dropped", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{
        {result(Tensor({1})), result(answer.weights), result(answer.output)}};
  });
  const Observations observations = observed(worker, cases);
  CHECK(observations.cases[0].output.has_value());
  CHECK(observations.cases[0].weights.has_value());
  CHECK(observations.cases[0].shape_problem.empty());
}

TEST_CASE("a result of the wrong shape is told, not forced into a role",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    return Returned{
        {result(reference::swap_last_axes(right_answer(call).output))}};
  });
  const Observations observations = observed(worker, cases);
  const CaseObservation& first = observations.cases[0];
  CHECK_FALSE(first.output.has_value());
  CHECK(first.shape_problem ==
        "output has shape (2, 7, 3), expected (2, 3, 7)");
  CHECK(first.result_shapes == std::vector<Shape>{{2, 7, 3}});
  CHECK(worker.calls == 2);  // no recovery from it
}

TEST_CASE("a lost singleton axis is a shape problem", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(1, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    return Returned{
        {result(reference::reshape(right_answer(call).output, {3, 7}))}};
  });
  CHECK_FALSE(observed(worker, cases).cases[0].shape_problem.empty());
}

TEST_CASE("names given by the candidate count, and contradictions show",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{
        {result(answer.weights, "output"), result(answer.weights, "weights")}};
  });
  const CaseObservation first = observed(worker, cases).cases[0];
  CHECK(first.weights.has_value());
  CHECK(first.shape_problem ==
        "output has shape (2, 3, 5), expected (2, 3, 7)");
}

TEST_CASE("an output without a name is known by its shape", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{{result(answer.weights), result(answer.output),
                     result(answer.weights, "weights")}};
  });
  const CaseObservation first = observed(worker, cases).cases[0];
  CHECK(first.output == right_answer(make_call(cases[0])).output);
  CHECK(first.weights_source == WeightsSource::returned);
  CHECK(first.shape_problem.empty());
}

TEST_CASE("a misshapen output without a name is one beside weights",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{{result(Tensor({1})), result(call.arguments[1].tensor),
                     result(reference::swap_last_axes(answer.output)),
                     result(answer.weights, "weights")}};
  });
  CHECK(observed(worker, cases).cases[0].shape_problem ==
        "output has shape (2, 7, 3), expected (2, 3, 7)");
}

TEST_CASE("weights with a name may stand alone beside other things",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{{result(answer.weights, "weights"), result(Tensor({1})),
                     result(answer.weights)}};
  });
  const CaseObservation first = observed(worker, cases).cases[0];
  CHECK(first.weights.has_value());
  CHECK_FALSE(first.output.has_value());
  CHECK(first.shape_problem.empty());
}

TEST_CASE("names that every shape contradicts do not count", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    Tensor scores = answer.weights;
    for (double& score : scores.data) {
      score -= 1.0;
    }
    return Returned{{result(answer.output, "weights"), result(scores)}};
  });
  const Observations observations = observed(worker, cases);
  CHECK(observations.cases[0].output.has_value());
  CHECK(observations.cases[0].weights_source == WeightsSource::recovered);
}

TEST_CASE("of two that may be the weights the rows of 1 are", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  for (const std::size_t place : {0U, 1U, 2U}) {
    FakeWorker worker([&](const Call& call) {
      const Attention answer = right_answer(call);
      Tensor scores = answer.weights;
      for (double& score : scores.data) {
        score *= 3.0;
      }
      Returned returned{{result(answer.output), result(scores)}};
      returned.results.insert(
          returned.results.begin() + static_cast<std::ptrdiff_t>(place),
          result(answer.weights));
      return returned;
    });
    const CaseObservation first = observed(worker, cases).cases[0];
    CHECK(first.weights == right_answer(make_call(cases[0])).weights);
    CHECK(first.output.has_value());
  }
}

TEST_CASE("what is no weights is left out beside an output", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 4, 4, 4)),
      make_case(Kind::attention, 3, plain(2, 3, 5, 7)),
      make_case(Kind::attention, 3, plain(2, 3, 6, 5))};
  for (const bool is_cache : {false, true}) {
    FakeWorker worker([&](const Call& call) {
      const Attention answer = right_answer(call);
      return Returned{{result(answer.output),
                       is_cache ? result(call.arguments[1].tensor)
                                : result(Tensor({call.dimensions.n}))}};
    });
    for (const auto& one : observed(worker, cases).cases) {
      CHECK(one.output.has_value());
      CHECK(one.shape_problem.empty());
      CHECK(one.weights_source == WeightsSource::recovered);
    }
  }
}

TEST_CASE("misshapen weights are a problem all the same", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{{result(answer.output),
                     result(reference::swap_last_axes(answer.weights))}};
  });
  CHECK(observed(worker, cases).cases[0].shape_problem ==
        "weights have shape (2, 5, 3), expected (2, 3, 5)");
}

TEST_CASE("only what has a role has to be the same the second time",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 3, plain(2, 3, 5, 7))};
  for (const bool is_output : {false, true}) {
    FakeWorker worker([&](const Call& call) {
      const Attention answer = right_answer(call);
      Returned returned{{result(answer.output),
                         result(answer.weights),
                         {"", DType::integer, Tensor({1})}}};
      returned.results[is_output ? 0 : 2].values.data[0] += worker.calls;
      return returned;
    });
    const Observations observations = observed(worker, cases);
    CHECK(observations.same_answer_twice == !is_output);
    CHECK_FALSE(observations.cases[0].integer_result);
  }
}

TEST_CASE("nothing usable is a problem with its reason", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 3, 5, 7))};
  FakeWorker worker([](const Call&) {
    Returned returned;
    returned.problem = "returned None";
    return returned;
  });
  CHECK(observed(worker, cases).cases[0].shape_problem == "returned None");
}

TEST_CASE("weights of plain attention are recovered in blocks", "[observe]") {
  check_recovery(make_case(Kind::attention, 2, plain(0, 3, 5, 7)), 1);
  check_recovery(make_case(Kind::attention, 3, plain(2, 3, 5, 2)), 3);
  Dimensions four = plain(2, 3, 4, 4);
  four.heads = 3;
  check_recovery(make_case(Kind::attention, 4, four), 1);
  four.heads = 6;
  four.kv_heads = 2;
  check_recovery(make_case(Kind::grouped_query_attention, 4, four), 1);
}

TEST_CASE("weights behind projections are recovered entry by entry",
          "[observe]") {
  Dimensions self = plain(3, 4, 4, 5);
  self.d_model = 9;
  check_recovery(make_case(Kind::self_attention, 3, self), 3);
  self.heads = 2;
  check_recovery(make_case(Kind::self_attention, 4, self), 6);
  check_recovery(make_case(Kind::multi_head_attention, 3, heads_of(2, 4, 3, 5)),
                 2);
  check_recovery(make_case(Kind::multi_head_attention, 2, heads_of(0, 5, 2, 5)),
                 1);
}

TEST_CASE("recovery keeps each entry's own mask", "[observe]") {
  Case padded = make_case(Kind::multi_head_attention, 3, heads_of(2, 3, 2, 4));
  padded.mask_mode = MaskMode::masked;
  padded.mask = reference::Mask{{2, 1, 1, 3}, {1, 1, 1, 1, 1, 0}};
  check_recovery(padded, 2);
  padded.mask = reference::Mask{{3}, {1, 0, 1}};
  check_recovery(padded, 2);
  padded.mask = reference::Mask{{1, 1, 3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}};
  check_recovery(padded, 2);
  Case plain_case = make_case(Kind::attention, 3, plain(2, 2, 3, 2));
  plain_case.mask_mode = MaskMode::masked;
  plain_case.mask = reference::Mask{{2, 1, 3}, {1, 1, 1, 0, 1, 1}};
  check_recovery(plain_case, 2);
}

TEST_CASE("more keys than columns behind a projection are not recovered",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::multi_head_attention, 3, heads_of(2, 6, 3, 5))};
  FakeWorker worker(output_only);
  const Observations observations = observed(worker, cases);
  CHECK_FALSE(observations.cases[0].weights.has_value());
  CHECK(observations.cases[0].weights_source == WeightsSource::not_recovered);
}

TEST_CASE("tokens that repeat leave nothing to recover", "[observe]") {
  Case repeated =
      make_case(Kind::multi_head_attention, 2, heads_of(0, 3, 2, 4));
  auto& x = repeated.arguments[0].tensor.data;
  std::copy_n(x.begin(), 8, x.begin() + 8);
  FakeWorker worker(output_only);
  CHECK_FALSE(observed(worker, {repeated}).cases[0].weights.has_value());
}

TEST_CASE("head-averaged weights are kept apart, the real ones recovered",
          "[observe]") {
  Dimensions grouped = heads_of(2, 3, 4, 5);
  grouped.kv_heads = 2;
  for (const Case& one :
       {make_case(Kind::multi_head_attention, 3, heads_of(2, 4, 3, 5)),
        make_case(Kind::grouped_query_attention, 4, grouped),
        make_case(Kind::attention, 4, heads_of(2, 3, 4, 5))}) {
    FakeWorker worker([](const Call& call) {
      const Attention answer = right_answer(call);
      Shape shape = answer.weights.shape;
      shape.erase(shape.begin() + 1);
      return Returned{{result(answer.output), result(Tensor(shape, 0.25))}};
    });
    const std::vector<Case> cases{one};
    const CaseObservation first = observed(worker, cases).cases[0];
    CHECK(first.head_averaged_weights.has_value());
    CHECK(first.weights_source == WeightsSource::recovered);
    CHECK(first.shape_problem.empty());
  }
}

TEST_CASE("weights in another layout are brought into the task's, and told",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::multi_head_attention, 3, heads_of(2, 4, 3, 5)),
      make_case(Kind::multi_head_attention, 3, heads_of(3, 3, 3, 5)),
      make_case(Kind::multi_head_attention, 2, heads_of(1, 4, 3, 5))};
  const auto observe_layout = [&](const std::vector<int>& axes) {
    FakeWorker worker([&](const Call& call) {
      const Attention answer = right_answer(call);
      const Tensor& weights = answer.weights;
      const bool is_moved = weights.shape.size() == axes.size();
      return Returned{
          {result(answer.output),
           result(is_moved ? reference::permute(weights, axes) : weights)}};
    });
    return observed(worker, cases);
  };
  const Observations outside = observe_layout({1, 0, 2, 3});
  for (const CaseObservation& one : outside.cases) {
    REQUIRE(one.weights.has_value());
    CHECK(one.weights_source == WeightsSource::returned);
    CHECK(largest_difference(*one.weights,
                             right_answer(make_call(*one.test_case)).weights) ==
          0.0);
  }
  CHECK(outside.conventions ==
        std::vector<std::string>{"returns weights of (H, B, n, m)"});
  CHECK(observe_layout({0, 1, 2, 3}).conventions.empty());
  // The keys before the queries: no layout of weights.
  const Observations wrong = observe_layout({0, 3, 1, 2});
  CHECK(wrong.conventions.empty());
  CHECK_FALSE(wrong.cases[0].shape_problem.empty());
}

TEST_CASE("weights with the tokens first are told by a case where n is not H",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::multi_head_attention, 3, heads_of(3, 3, 3, 5)),
      make_case(Kind::multi_head_attention, 3, heads_of(2, 4, 3, 5))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    return Returned{{result(answer.output),
                     result(reference::permute(answer.weights, {0, 2, 1, 3}))}};
  });
  const Observations observations = observed(worker, cases);
  for (const CaseObservation& one : observations.cases) {
    REQUIRE(one.weights.has_value());
    CHECK(largest_difference(*one.weights,
                             right_answer(make_call(*one.test_case)).weights) ==
          0.0);
  }
}

TEST_CASE("merged weights are read as the recovered ones tell", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::multi_head_attention, 3, heads_of(2, 4, 3, 5)),
      make_case(Kind::multi_head_attention, 3, heads_of(2, 6, 3, 5)),
      make_case(Kind::attention, 4, heads_of(3, 3, 2, 5))};
  for (const bool are_heads_outside : {false, true}) {
    // Of the second case nothing is recovered, but the others tell; one weight
    // that is far off, and one that is none, speak for themselves.
    const Observations observations =
        with_weights(cases, [&](const Tensor& weights) {
          Tensor result = merged(are_heads_outside
                                     ? reference::permute(weights, {1, 0, 2, 3})
                                     : weights);
          result.data[0] = 1e300;
          result.data[1] = std::nan("");
          return result;
        });
    for (const CaseObservation& one : observations.cases) {
      REQUIRE(one.weights.has_value());
      CHECK(one.weights_source == WeightsSource::returned);
      CHECK(one.recovery_growth == 1.0);
      const Tensor expected = right_answer(make_call(*one.test_case)).weights;
      CHECK(one.weights->data[0] == 1e300);
      CHECK(std::equal(one.weights->data.begin() + 2, one.weights->data.end(),
                       expected.data.begin() + 2));
    }
    CHECK(observations.conventions ==
          std::vector<std::string>{
              std::string("returns weights of (B*H, n, m), read with the ") +
              (are_heads_outside ? "heads outside" : "batch outside")});
  }
}

TEST_CASE("merged weights that are garbage stay what was returned",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::multi_head_attention, 3, heads_of(2, 4, 3, 5))};
  for (const double garbage : {123.0, std::nan("")}) {
    const Observations observations = with_weights(
        cases, [&](const Tensor& weights) { return filled(weights, garbage); });
    const CaseObservation& first = observations.cases[0];
    CHECK(first.weights_source == WeightsSource::returned);
    REQUIRE(first.weights.has_value());
    CHECK(first.weights->shape == Shape{2, 3, 4, 4});
    CHECK_FALSE(first.weights->data[5] < 1.0);
    CHECK(first.shape_problem.empty());
  }
}

TEST_CASE("merged weights are not read where none can be recovered",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::multi_head_attention, 3, heads_of(2, 6, 3, 5))};
  const Observations observations = with_weights(cases, merged);
  CHECK(observations.cases[0].weights_source == WeightsSource::not_recovered);
  CHECK_FALSE(observations.cases[0].weights.has_value());
  CHECK(observations.conventions.empty());
  FakeWorker alone([&](const Call& call) {
    return Returned{{result(merged(right_answer(call).weights))}};
  });
  CHECK_FALSE(observed(alone, cases).cases[0].shape_problem.empty());
}

TEST_CASE("a recovery call that fails leaves the output to decide",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 3, 5, 2))};
  int calls = 0;
  FakeWorker worker([&](const Call& call) -> Outcome {
    return ++calls == 3 ? Outcome(Raised{}) : output_only(call);
  });
  const CaseObservation first = observed(worker, cases).cases[0];
  CHECK(first.output.has_value());
  CHECK_FALSE(first.weights.has_value());
  CHECK(first.weights_source == WeightsSource::not_recovered);
}

TEST_CASE("another answer to the same question is noticed", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 3, 5, 7))};
  double state = 0.0;
  FakeWorker worker([&](const Call&) {
    return Returned{{result(Tensor({3, 7}, state += 1.0))}};
  });
  CHECK(observed(worker, cases).same_answer_twice == false);
  FakeWorker not_a_number([&](const Call&) {
    return Returned{{result(Tensor({3, 7}, std::nan("")))}};
  });
  CHECK(observed(not_a_number, cases).same_answer_twice == true);
  FakeWorker never([](const Call&) { return Raised{}; });
  CHECK_FALSE(observed(never, cases).same_answer_twice.has_value());
}

TEST_CASE("an exception the second time is no other answer", "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 3, 5, 7))};
  int calls = 0;
  FakeWorker worker([&](const Call&) -> Outcome {
    return ++calls > 1 ? Outcome(Raised{"OSError", "", ""})
                       : Outcome(Returned{{result(Tensor({3, 7}, 1.0))}});
  });
  const Observations seen = observed(worker, cases);
  CHECK_FALSE(seen.same_answer_twice.has_value());
  REQUIRE(seen.further_mishaps.size() == 1);
  CHECK(std::get<Raised>(seen.further_mishaps[0]).type == "OSError");
}

TEST_CASE("an adapter that fails the second time is nobody's doing",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 3, 5, 7))};
  for (const std::string why : {"", "adapter.py, line 3: KeyError"}) {
    INFO(why);
    int calls = 0;
    FakeWorker worker([&](const Call&) -> Outcome {
      return ++calls == 1
                 ? Outcome(Returned{{result(Tensor({3, 7}, std::nan("")))}})
                 : Outcome(Raised{.type = "KeyError",
                                  .message = "",
                                  .traceback = "",
                                  .adapter = why});
    });
    const Observations seen = observed(worker, cases);
    CHECK_FALSE(seen.same_answer_twice.has_value());
    CHECK(seen.further_mishaps.size() == (why.empty() ? 1 : 0));
  }
}

TEST_CASE("types, changed inputs and the second form are reported",
          "[observe]") {
  const std::vector<Case> cases{
      make_case(Kind::attention, 2, plain(0, 3, 5, 7))};
  FakeWorker worker([](const Call& call) {
    const Attention answer = right_answer(call);
    Returned returned{{result(answer.output), result(answer.weights)}, true};
    returned.results[0].dtype = DType::float32;
    returned.results[1].dtype = DType::integer;
    returned.same_without_weights = false;
    return returned;
  });
  const Observations observations = observed(worker, cases);
  CHECK(observations.cases[0].output_dtype == DType::float32);
  CHECK(observations.cases[0].weights_dtype == DType::float64);
  CHECK(observations.cases[0].integer_result);
  CHECK(observations.cases[0].input_mutated);
  CHECK(observations.same_without_weights == false);
}
