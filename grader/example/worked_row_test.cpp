// SPDX-License-Identifier: MIT
#include "grader/example/worked_row.hpp"

#include "tests/catch.hpp"

using namespace grader;
using reference::Tensor;

namespace {

Case plain_case() {
  Case input;
  input.rank = 2;
  input.dimensions.n = 2;
  input.dimensions.m = 2;
  input.dimensions.d_k = 2;
  input.dimensions.d_v = 2;
  input.arguments = {{"q", Tensor({2, 2}, {1, 0, 0, -2})},
                     {"k", Tensor({2, 2}, {1, 0, 0, 1})},
                     {"v", Tensor({2, 2}, {3, 0, 0, 1})}};
  input.expected = evaluate_reference(input);
  return input;
}

Case head_case(std::int64_t heads) {
  Case input;
  input.kind = Kind::multi_head_attention;
  input.rank = 2;
  input.dimensions.n = 2;
  input.dimensions.m = 2;
  input.dimensions.heads = heads;
  input.dimensions.d_k = 2 / heads;
  input.dimensions.d_v = 2 / heads;
  input.dimensions.d_model = 2;
  for (const char* name : {"x", "w_q", "w_k", "w_v", "w_o"}) {
    input.arguments.push_back({name, Tensor({2, 2}, {1, 0, 0, 1})});
  }
  input.expected = evaluate_reference(input);
  return input;
}

}  // namespace

TEST_CASE("a row of weights is worked out from its products", "[worked_row]") {
  CHECK(work_out_weights(plain_case(), 1) ==
        "scores of query 1: 0*1 + -2*0 = 0, 0*0 + -2*1 = -2; divided by "
        "sqrt(2): 0, -1.414; softmax: 0.804, 0.196");
}

TEST_CASE("a row of the output goes on with the values", "[worked_row]") {
  CHECK(work_out_output(plain_case(), 0) ==
        "scores of query 0: 1*1 + 0*0 = 1, 1*0 + 0*1 = 0; divided by sqrt(2): "
        "0.707, 0; softmax: 0.670, 0.330; times v: 0.670*3 + 0.330*0 = 2.009, "
        "0.670*0 + 0.330*1 = 0.330");
}

TEST_CASE("hidden keys are named", "[worked_row]") {
  Case input = plain_case();
  input.mask_mode = MaskMode::causal;
  input.expected = evaluate_reference(input);
  CHECK(work_out_weights(input, 0) ==
        "scores of query 0: 1*1 + 0*0 = 1, 1*0 + 0*1 = 0; divided by sqrt(2): "
        "0.707, 0; hidden: key 1; softmax: 1, 0");
}

TEST_CASE("projections come first, w_o comes last", "[worked_row]") {
  CHECK(work_out_output(head_case(1), 0) ==
        "q = x @ w_q = [1, 0] and k = x @ w_k = [1, 0], [0, 1]; scores of "
        "query 0: 1*1 + 0*0 = 1, 1*0 + 0*1 = 0; divided by sqrt(2): 0.707, 0; "
        "softmax: 0.670, 0.330; times v: 0.670*1 + 0.330*0 = 0.670, 0.670*0 + "
        "0.330*1 = 0.330; times w_o: 0.670, 0.330");
}

TEST_CASE("several heads are worked out in brief, one after another",
          "[worked_row]") {
  CHECK(work_out_output(head_case(2), 0) ==
        "head 0: scores 1, 0; divided by sqrt(1): 1, 0; softmax: 0.731, 0.269; "
        "times v: 0.731; head 1: scores 0, 0; divided by sqrt(1): 0, 0; "
        "softmax: 0.500, 0.500; times v: 0.500; side by side, times w_o: "
        "0.731, 0.500");
  CHECK(work_out_weights(head_case(2), 3)
            .starts_with("head 1: q = x @ w_q = [1] and k = x @ w_k = [0], "
                         "[1]; scores of query 1: 1*0 = 0, 1*1 = 1;"));
}

TEST_CASE("the matrix of a batch and of heads is named", "[worked_row]") {
  Case input;
  input.rank = 4;
  input.dimensions.batch = 2;
  input.dimensions.heads = 2;
  input.dimensions.n = 1;
  input.dimensions.m = 1;
  input.dimensions.d_k = 1;
  input.dimensions.d_v = 1;
  for (const char* name : {"q", "k", "v"}) {
    input.arguments.push_back({name, Tensor({2, 2, 1, 1}, 1.0)});
  }
  input.expected = evaluate_reference(input);
  CHECK(work_out_weights(input, 2).starts_with(
      "batch 1, head 0: scores of query 0: "));
}
