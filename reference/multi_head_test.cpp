// SPDX-License-Identifier: MIT
#include "reference/multi_head.hpp"

#include <numeric>
#include <stdexcept>

#include "reference/golden_test.hpp"
#include "reference/mask.hpp"
#include "reference/random.hpp"
#include "tests/catch.hpp"

namespace reference {
namespace {

MultiHeadWeights weights_of(const Golden& golden, std::int64_t n_heads) {
  return {golden["w_q"], golden["w_k"], golden["w_v"], golden["w_o"], n_heads};
}

TEST_CASE("self-attention agrees with numpy", "[multi_head]") {
  const Golden golden("self_attention");
  check_golden(
      self_attention(golden["x"], golden["w_q"], golden["w_k"], golden["w_v"]),
      golden);
}

TEST_CASE("multi-head attention agrees with numpy", "[multi_head]") {
  const Golden plain("multi_head");
  check_golden(multi_head_attention(plain["x"], weights_of(plain, 2)), plain);
  const Golden causal("multi_head_causal");
  check_golden(multi_head_attention(causal["x"], weights_of(causal, 3),
                                    causal_mask(3, 3)),
               causal);
}

TEST_CASE("one head is self-attention with a projection", "[multi_head]") {
  const Golden golden("multi_head");
  const Attention one =
      multi_head_attention(golden["x"], weights_of(golden, 1));
  const Attention self =
      self_attention(golden["x"], golden["w_q"], golden["w_k"], golden["w_v"]);
  CHECK(max_difference(one.output, matmul(self.output, golden["w_o"])) < 1e-15);
  CHECK(one.weights.shape == Shape{2, 1, 3, 3});
}

TEST_CASE("heads own neighbouring columns", "[multi_head]") {
  Tensor x({2, 4});
  std::iota(x.data.begin(), x.data.end(), 0.0);
  const Tensor heads = split_heads(x, 2);
  CHECK(heads == Tensor({2, 2, 2}, {0, 1, 4, 5, 2, 3, 6, 7}));
  CHECK(merge_heads(heads) == x);
}

TEST_CASE("merging undoes splitting in batches", "[multi_head]") {
  const Tensor x = Random(2).standard_normal({2, 3, 6});
  CHECK(split_heads(x, 3).shape == Shape{2, 3, 3, 2});
  CHECK(merge_heads(split_heads(x, 3)) == x);
}

TEST_CASE("widths that heads do not divide are refused", "[multi_head]") {
  CHECK_THROWS_WITH(split_heads(Tensor({2, 3, 6}), 4),
                    "cannot split shape (2, 3, 6) into 4 heads");
  CHECK_THROWS_AS(split_heads(Tensor({3, 6}), 0), std::invalid_argument);
  CHECK_THROWS_AS(split_heads(Tensor(Shape{6}), 2), std::invalid_argument);
  CHECK_THROWS_AS(merge_heads(Tensor({3, 6})), std::invalid_argument);
}

TEST_CASE("grouped-query attention agrees with numpy", "[multi_head]") {
  const Golden plain("grouped_query");
  check_golden(grouped_query_attention(plain["q"], plain["k"], plain["v"]),
               plain);
  const Golden causal("grouped_query_causal");
  check_golden(grouped_query_attention(causal["q"], causal["k"], causal["v"],
                                       causal_mask(3, 3)),
               causal);
}

TEST_CASE("groups of one are plain attention", "[multi_head]") {
  const Golden golden("attention_heads");
  CHECK(grouped_query_attention(golden["q"], golden["k"], golden["v"]).output ==
        attention(golden["q"], golden["k"], golden["v"]).output);
}

TEST_CASE("neighbouring query heads share keys", "[multi_head]") {
  const Golden golden("grouped_query");
  // numpy.tile instead of numpy.repeat: heads 0, 1, 0, 1
  const auto tile = [](const Tensor& kv) {  // (2, 2, 3, width)
    const std::int64_t width = kv.size(-1);
    const Tensor once = reshape(kv, {2, 1, 2, 3, width});
    const Tensor twice = broadcast_to(once, {2, 2, 2, 3, width});
    return reshape(twice, {2, 4, 3, width});
  };
  CHECK(
      max_difference(
          attention(golden["q"], tile(golden["k"]), tile(golden["v"])).weights,
          golden["weights"]) > 0.01);
}

TEST_CASE("key heads that do not divide the query heads are refused",
          "[multi_head]") {
  CHECK_THROWS_WITH(
      grouped_query_attention(Tensor({1, 3, 2, 2}), Tensor({1, 2, 2, 2}),
                              Tensor({1, 2, 2, 2})),
      "grouped queries of shape (1, 3, 2, 2) and keys of shape (1, 2, 2, 2): "
      "query heads must be a multiple of key heads");
  CHECK_THROWS_AS(
      grouped_query_attention(Tensor({1, 2, 2, 2}), Tensor({1, 0, 2, 2}),
                              Tensor({1, 0, 2, 2})),
      std::invalid_argument);
  CHECK_THROWS_AS(
      grouped_query_attention(Tensor({2, 2}), Tensor({2, 2}), Tensor({2, 2})),
      std::invalid_argument);
}

TEST_CASE("projections of the wrong width are refused", "[multi_head]") {
  CHECK_THROWS_WITH(self_attention(Tensor({3, 6}), Tensor({5, 4}),
                                   Tensor({6, 4}), Tensor({6, 2})),
                    "matmul of shapes (3, 6) and (5, 4): "
                    "6 columns against 5 rows");
}

}  // namespace
}  // namespace reference
