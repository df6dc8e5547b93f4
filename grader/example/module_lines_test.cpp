// SPDX-License-Identifier: MIT
#include "grader/example/module_lines.hpp"

#include "grader/example/small_inputs.hpp"
#include "grader/example/snippet.hpp"
#include "tests/catch.hpp"

using namespace grader;
using reference::Tensor;

namespace {

Case an_input(MaskMode mask_mode = MaskMode::none) {
  Case input = small_inputs(Kind::multi_head_attention, mask_mode, 3).front();
  for (NamedTensor& argument : input.arguments) {
    argument.tensor = Tensor({1, 6}, {1, 1, 1, 1, 1, 1});
  }
  input.dimensions.heads = 2;
  return input;
}

Match a_module() {
  Match match;
  match.framework = Framework::torch;
  match.precision = DType::float32;
  match.module = ModuleReading{};
  match.callable.name = "MHA";
  match.callable.is_class = true;
  match.callable.parameters = {{.name = "x"},
                               {.name = "mask", .has_default = true}};
  ModuleStudy study{.kind = Kind::multi_head_attention};
  study.filled = "d_model = C, num_heads = H, head_dim = C/H, dropout = 0";
  study.settled = true;
  study.parameters = {{"q.weight", "w_q", "name", "out-in"},
                      {"k.weight", "w_k", "name", "out-in"},
                      {"v.weight", "w_v", "name", "out-in"},
                      {"w_out", "w_o", "name", "in-out"}};
  study.conventions = {{"order", {{"qkv", ""}, {"kqv", "holds k, q, v"}}}};
  match.callable.module = study;
  return match;
}

std::vector<std::string> lines(const Match& match,
                               MaskMode mask_mode = MaskMode::none) {
  return module_lines(an_input(mask_mode), match, "t(", ")");
}

}  // namespace

TEST_CASE("a module is made, given its weights and called", "[module_lines]") {
  CHECK(lines(a_module()) ==
        std::vector<std::string>{
            "module = MHA(d_model=6, num_heads=2, head_dim=3, "
            "dropout=0).eval()",
            "biases = [p for n, p in module.named_parameters() if \"bias\" in "
            "n]",
            "for bias in biases: bias.data.zero_()",
            "module.q.weight.data = t(w_q).T",
            "module.k.weight.data = t(w_k).T",
            "module.v.weight.data = t(w_v).T", "module.w_out.data = t(w_o)",
            "module(t(x))"});
  CHECK(call_on_arrays(an_input(), a_module()).back() == "module(t(x))");
  CHECK(python_lines(an_input(), a_module()).back() == "module(x)");
}

TEST_CASE("a module that is called with q, k and v gets x as each",
          "[module_lines]") {
  Match match = a_module();
  match.callable.parameters = {
      {.name = "V"}, {.name = "key"}, {.name = "Query"}};
  CHECK(lines(match).back() == "module(t(x), t(x), t(x))");
}

TEST_CASE("what cannot be said for sure of a module is left out",
          "[module_lines]") {
  std::vector<Match> unsure(12, a_module());
  const auto study = [&](std::size_t i) -> ModuleStudy& {
    return *unsure.at(i).callable.module;
  };
  unsure[0].framework = Framework::numpy;
  study(1).settled = false;
  study(2).filled = "config.n_embd = C";
  study(3).filled = "max_len = long enough";
  study(4).parameters.front().orientation = "";
  study(5).parameters.front().name = "heads.0.weight";
  study(6).parameters.front().holds = "w_q w_k w_v";
  study(7).parameters.pop_back();
  unsure[8].module->emplace("order", "kqv");
  unsure[9].callable.parameters.push_back({.name = "lengths"});
  study(10).remarks = {"the norm is replaced by the identity"};
  unsure[11].callable.name = "MHA\n__import__";
  for (const Match& match : unsure) {
    CHECK(lines(match).empty());
    const auto calls = call_on_arrays(an_input(), match);
    CHECK(calls.empty());
    CHECK(python_lines(an_input(), match).size() == 6);  // the arrays only
  }
  CHECK(lines(a_module(), MaskMode::masked).empty());
}
