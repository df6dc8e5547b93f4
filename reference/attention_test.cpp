// SPDX-License-Identifier: MIT
#include "reference/attention.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/golden_test.hpp"
#include "reference/mask.hpp"
#include "reference/random.hpp"
#include "reference/softmax.hpp"
#include "tests/catch.hpp"

namespace reference {
namespace {

struct Inputs {
  Tensor q, k, v;
};

// (2, 3, d_k) queries, (2, 4, d_k) keys, (2, 4, 3) values
Inputs draw(std::int64_t d_k) {
  Random random(11);
  Tensor q = random.standard_normal({2, 3, d_k});
  Tensor k = random.standard_normal({2, 4, d_k});
  Tensor v = random.standard_normal({2, 4, 3});
  return {std::move(q), std::move(k), std::move(v)};
}

// Rows 3, 2, 1, 0 of each matrix of a (2, 4, width) tensor.
Tensor reverse_rows(const Tensor& tensor) {
  Tensor reversed = tensor;
  const auto width = static_cast<std::size_t>(tensor.size(-1));
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const std::size_t row = i / width;
    const std::size_t other = row / 4 * 4 + (3 - row % 4);
    reversed.data[other * width + i % width] = tensor.data[i];
  }
  return reversed;
}

TEST_CASE("attention agrees with numpy", "[attention]") {
  for (const auto* name : {"attention_plain", "attention_batch",
                           "attention_heads", "attention_gain"}) {
    CAPTURE(name);
    const Golden golden(name);
    check_golden(attention(golden["q"], golden["k"], golden["v"]), golden);
  }
}

TEST_CASE("masked attention agrees with numpy", "[attention]") {
  for (const auto* name : {"attention_masked", "attention_padded"}) {
    CAPTURE(name);
    const Golden golden(name);
    check_golden(
        attention(golden["q"], golden["k"], golden["v"], golden.mask()),
        golden);
  }
}

TEST_CASE("causal attention agrees with numpy", "[attention]") {
  const Golden golden("attention_causal");
  const Attention causal =
      causal_attention(golden["q"], golden["k"], golden["v"]);
  check_golden(causal, golden);
  CHECK(causal.weights.data[0] == 1.0);
  CHECK(causal.weights.data[1] == 0.0);
}

TEST_CASE("attention is the formula made of its parts", "[attention]") {
  const auto [q, k, v] = draw(4);
  const Tensor weights =
      softmax(scale(matmul(q, swap_last_axes(k)), 1 / std::sqrt(4.0)));
  const Attention whole = attention(q, k, v);
  CHECK(max_difference(whole.weights, weights) < 1e-15);
  CHECK(max_difference(whole.output, matmul(weights, v)) < 1e-15);
}

TEST_CASE("the order of the keys does not matter", "[attention]") {
  const auto [q, k, v] = draw(5);
  const Attention forward = attention(q, k, v);
  const Attention backward = attention(q, reverse_rows(k), reverse_rows(v));
  CHECK(max_difference(forward.output, backward.output) < 1e-15);
}

TEST_CASE("a key shared by all queries does not matter", "[attention]") {
  // q . (k + c) adds the same to every score of a row.
  const auto [q, k, v] = draw(5);
  const Tensor moved = add(k, Tensor(k.shape, 2.0));
  CHECK(max_difference(attention(q, k, v).weights,
                       attention(q, moved, v).weights) < 1e-14);
}

TEST_CASE("wrong attentions differ from the right one", "[attention]") {
  const auto [q, k, v] = draw(4);
  const Tensor weights = attention(q, k, v).weights;
  const Tensor products = matmul(q, swap_last_axes(k));
  CHECK(max_difference(softmax(products), weights) > 0.01);
  CHECK(max_difference(softmax(scale(products, 0.25)), weights) > 0.01);
  CHECK(max_difference(softmax(scale(products, -0.5)), weights) > 0.01);
  const Tensor over_queries =
      swap_last_axes(softmax(swap_last_axes(scale(products, 0.5))));
  CHECK(max_difference(over_queries, weights) > 0.01);
}

TEST_CASE("a fully masked row attends to nothing", "[attention]") {
  const auto [q, k, v] = draw(4);
  Mask mask{{3, 4}, std::vector<std::uint8_t>(12, 1)};
  std::fill_n(mask.data.begin() + 4, 4, std::uint8_t{0});
  const Attention masked = attention(q, k, v, mask);
  for (std::size_t column = 0; column < 3; ++column) {
    CHECK(masked.output.data[3 + column] == 0.0);
  }
  for (std::size_t key = 0; key < 4; ++key) {
    CHECK(masked.weights.data[4 + key] == 0.0);
    CHECK(masked.weights.data[8 + key] > 0.0);
  }
}

TEST_CASE("one key gets all the weight", "[attention]") {
  const Attention one =
      attention(Tensor({2, 3}), Tensor({1, 3}), Tensor({1, 2}, {5, 6}));
  CHECK(one.weights.data == std::vector<double>{1, 1});
  CHECK(one.output.data == std::vector<double>{5, 6, 5, 6});
}

TEST_CASE("no queries, no batch and no values are allowed", "[attention]") {
  CHECK(
      attention(Tensor({0, 3}), Tensor({2, 3}), Tensor({2, 4})).output.shape ==
      Shape{0, 4});
  CHECK(attention(Tensor({0, 2, 3}), Tensor({0, 2, 3}), Tensor({0, 2, 4}))
            .weights.shape == Shape{0, 2, 2});
  CHECK(
      attention(Tensor({2, 3}), Tensor({2, 3}), Tensor({2, 0})).output.shape ==
      Shape{2, 0});
}

TEST_CASE("shapes that do not fit are refused by name", "[attention]") {
  CHECK_THROWS_WITH(attention(Tensor({3, 4}), Tensor({5, 6}), Tensor({5, 2})),
                    "attention of q (3, 4), k (5, 6), v (5, 2): "
                    "queries and keys differ in width");
  CHECK_THROWS_WITH(attention(Tensor({3, 4}), Tensor({5, 4}), Tensor({6, 2})),
                    "attention of q (3, 4), k (5, 4), v (6, 2): "
                    "the numbers of keys and values differ");
  CHECK_THROWS_AS(attention(Tensor({2, 3, 4}), Tensor({5, 4}), Tensor({5, 2})),
                  std::invalid_argument);
  CHECK_THROWS_AS(attention(Tensor(Shape{4}), Tensor({5, 4}), Tensor({5, 2})),
                  std::invalid_argument);
  CHECK_THROWS_AS(attention(Tensor({3, 0}), Tensor({5, 0}), Tensor({5, 2})),
                  std::invalid_argument);
}

TEST_CASE("masks that do not fit are refused", "[attention]") {
  CHECK_THROWS_AS(attention(Tensor({3, 4}), Tensor({5, 4}), Tensor({5, 2}),
                            causal_mask(5, 3)),
                  std::invalid_argument);
  CHECK_THROWS_WITH(
      causal_attention(Tensor({3, 4}), Tensor({5, 4}), Tensor({5, 2})),
      "causal attention of q (3, 4) and k (5, 4): "
      "as many keys as queries are needed");
}

}  // namespace
}  // namespace reference
