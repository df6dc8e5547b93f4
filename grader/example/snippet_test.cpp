// SPDX-License-Identifier: MIT
#include "grader/example/snippet.hpp"

#include <algorithm>
#include <limits>

#include "grader/example/small_inputs.hpp"
#include "tests/catch.hpp"

using namespace grader;
using reference::Mask;
using reference::Tensor;

TEST_CASE("numbers are written as short as they can be read back",
          "[snippet]") {
  CHECK(plain_number(2.0) == "2");
  CHECK(plain_number(-0.0) == "0");
  CHECK(plain_number(-1.5) == "-1.5");
  CHECK(plain_number(0.1) == "0.1");
  CHECK(plain_number(1.0 / 3.0) == "0.33333333333333331");
  CHECK(plain_number(-std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(plain_number(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("tensors and masks are nested lists", "[snippet]") {
  CHECK(nested_list(Tensor({2, 2}, {1, 0, -2, 0.5})) == "[[1, 0], [-2, 0.5]]");
  CHECK(nested_list(Tensor({1, 1, 2}, {3, 4})) == "[[[3, 4]]]");
  CHECK(nested_list(Mask{{2, 2}, {1, 0, 1, 1}}) ==
        "[[True, False], [True, True]]");
}

TEST_CASE("the lines rebuild the arguments and call the function",
          "[snippet]") {
  Case input =
      small_inputs(Kind::multi_head_attention, MaskMode::masked, 2).front();
  for (NamedTensor& argument : input.arguments) {
    argument.tensor = Tensor({1, 1}, {2});
  }
  input.mask = Mask{{1}, {1}};
  Match match;
  match.callable.name = "Attention";
  match.callable.is_class = true;
  match.precision = DType::float32;
  std::vector<std::string> lines = python_lines(input, match);
  REQUIRE(lines.size() == 8);
  CHECK(lines[0] == "import numpy as np");
  CHECK(lines[1] == "x = np.array([[2]], dtype=np.float32)");
  CHECK(lines[6] == "mask = np.array([True])");
  CHECK(lines[7] == "Attention()(x, w_q, w_k, w_v, w_o, 1, mask)");
  match.callable.is_class = false;
  match.keywords = {"inputs", "wq", "wk", "wv", "wo", "heads", "keep"};
  CHECK(python_lines(input, match).back() ==
        "Attention(inputs=x, wq=w_q, wk=w_k, wv=w_v, wo=w_o, heads=1, "
        "keep=mask)");
  match.filled = {{"d_model", Filling::model_width}};
  CHECK(python_lines(input, match).back() ==
        "Attention(inputs=x, wq=w_q, wk=w_k, wv=w_v, wo=w_o, heads=1, "
        "keep=mask, d_model=1)");
}

TEST_CASE("a function of an adapter gets the submission first", "[snippet]") {
  const Case input = small_inputs(Kind::attention, MaskMode::none, 2).front();
  Match match;
  match.callable.name = "attention";
  match.adapter = "adapter.py";
  CHECK(python_lines(input, match).back() == "attention(submission, q, k, v)");
  match.keywords = {"query", "key", "value"};
  CHECK(call_on_arrays(input, match).back() ==
        "attention(submission, query=q, key=k, value=v)");
}

TEST_CASE("numpy's arrays are handed over as the function gets them",
          "[snippet]") {
  const Case input = small_inputs(Kind::attention, MaskMode::masked, 4).front();
  Match match;
  match.callable.name = "attention";
  CHECK(call_on_arrays(input, match) ==
        std::vector<std::string>{"attention(q, k, v, mask)"});
  match.framework = Framework::torch;
  match.precision = DType::float32;
  CHECK(call_on_arrays(input, match) ==
        std::vector<std::string>{
            "t = lambda a: torch.tensor(a, dtype=torch.float32)",
            "attention(t(q), t(k), t(v), torch.tensor(mask))"});
  match.tokens_first = true;
  CHECK(call_on_arrays(input, match).front() ==
        "t = lambda a: torch.tensor(a, dtype=torch.float32).swapaxes(1, 2)");
  CHECK(python_lines(input, match).back() ==
        "attention(q.swapaxes(1, 2), k.swapaxes(1, 2), v.swapaxes(1, 2), "
        "mask)");
}

TEST_CASE("a mask of another convention is written as it is passed",
          "[snippet]") {
  const Case input = small_inputs(Kind::attention, MaskMode::masked, 4).front();
  Match match;
  match.callable.name = "f";
  match.mask_convention = MaskConvention::hide;
  CHECK(call_on_arrays(input, match).back() == "f(q, k, v, ~mask)");
  match.mask_convention = MaskConvention::additive;
  CHECK(call_on_arrays(input, match).back() ==
        "f(q, k, v, np.where(mask, 0.0, -np.inf))");
  match.framework = Framework::torch;
  CHECK(call_on_arrays(input, match).back() ==
        "f(t(q), t(k), t(v), torch.where(torch.tensor(mask), 0.0, "
        "-torch.inf))");
  match.framework = Framework::jax;
  CHECK(python_lines(input, match).back() ==
        "f(q, k, v, jnp.where(mask, 0.0, -jnp.inf))");
}

TEST_CASE("what has no name for a caller is written in its place",
          "[snippet]") {
  Case input = small_inputs(Kind::attention, MaskMode::none, 2).front();
  for (NamedTensor& argument : input.arguments) {
    argument.tensor = Tensor({1, 3}, {2, 2, 2});
  }
  const auto only_in_place = [](const std::string& name) {
    Parameter parameter;
    parameter.name = name;
    parameter.positional_only = true;
    return parameter;
  };
  Match match;
  match.callable.name = "f";
  match.callable.parameters = {only_in_place("q"), only_in_place("k"),
                               only_in_place("v"), only_in_place("d_k")};
  match.filled = {{"d_k", Filling::key_width}, {"causal", Filling::off}};
  CHECK(python_lines(input, match).back() == "f(q, k, v, 3, causal=False)");
  std::ranges::reverse(match.callable.parameters);
  match.keywords = {"q", "k", "v"};
  CHECK(python_lines(input, match).back() == "f(3, v, k, q, causal=False)");
}
