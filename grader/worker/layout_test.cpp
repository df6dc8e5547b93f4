// SPDX-License-Identifier: MIT
#include "grader/worker/layout.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

using reference::Shape;
using reference::Tensor;

Call call_of(const Shape& q, const Shape& k, const Shape& v) {
  Call call;
  call.rank = static_cast<int>(q.size());
  call.arguments = {{"q", Tensor(q)}, {"k", Tensor(k)}, {"v", Tensor(v)}};
  return call;
}

Returned returned(const std::vector<std::pair<std::string, Shape>>& results) {
  Returned all;
  for (const auto& [role, shape] : results) {
    all.results.push_back({role, DType::float64, Tensor(shape)});
  }
  return all;
}

std::vector<Shape> shapes_after(const Call& call, Returned returned) {
  bring_heads_first(call, returned);
  std::vector<Shape> shapes;
  for (const ResultArray& result : returned.results) {
    shapes.push_back(result.values.shape);
  }
  return shapes;
}

TEST_CASE("arguments of four axes are handed over with the tokens first",
          "[layout]") {
  Call call = call_of({2, 3, 5, 4}, {2, 3, 7, 4}, {2, 3, 7, 6});
  call.arguments[0].tensor.data[4] = 1.0;  // head 0, token 1, feature 0
  const Call swapped = with_tokens_first(call);
  CHECK(swapped.arguments[0].tensor.shape == Shape{2, 5, 3, 4});
  CHECK(swapped.arguments[1].tensor.shape == Shape{2, 7, 3, 4});
  CHECK(swapped.arguments[0].tensor.data[3 * 4] == 1.0);
  CHECK(with_tokens_first(call_of({5, 4}, {7, 4}, {7, 6}))
            .arguments[0]
            .tensor.shape == Shape{5, 4});
}

TEST_CASE("outputs come back with the heads first, weights stay", "[layout]") {
  const Call call = call_of({2, 3, 5, 4}, {2, 3, 7, 4}, {2, 3, 7, 6});
  CHECK(
      shapes_after(call, returned({{"", {2, 5, 3, 6}}, {"", {2, 3, 5, 7}}})) ==
      std::vector<Shape>{{2, 3, 5, 6}, {2, 3, 5, 7}});
  CHECK(
      shapes_after(call, returned({{"", {2, 3, 5, 7}}, {"", {2, 5, 3, 6}}})) ==
      std::vector<Shape>{{2, 3, 5, 7}, {2, 3, 5, 6}});
  CHECK(shapes_after(call, returned({{"", {9}}, {"", {}}})) ==
        std::vector<Shape>{{9}, {}});
}

TEST_CASE("of two results of one shape the first is the output, names apart",
          "[layout]") {
  const Call call = call_of({1, 2, 2, 3}, {1, 2, 3, 3}, {1, 2, 3, 3});
  const auto first_datum = [&](Returned all, std::size_t index) {
    all.results[index].values.data[3] = 1.0;  // (0, 0, 1, 0)
    bring_heads_first(call, all);
    return all.results[index].values.data[3];
  };
  const Shape both{1, 2, 2, 3};
  CHECK(first_datum(returned({{"", both}, {"", both}}), 0) == 0.0);
  CHECK(first_datum(returned({{"", both}, {"", both}}), 1) == 1.0);
  CHECK(first_datum(returned({{"weights", both}, {"output", both}}), 0) == 1.0);
  CHECK(first_datum(returned({{"weights", both}, {"output", both}}), 1) == 0.0);
}

}  // namespace
}  // namespace grader
