// SPDX-License-Identifier: MIT
#include "grader/loader/test_matching.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Callable a_class(Callable callable, const std::string& problem = "") {
  callable.is_class = true;
  callable.problem = problem;
  return callable;
}

const Words qkvm = {"q", "k", "v", "mask"};
const Words qkv_optional = {"q", "k", "v", "mask="};
const Words weights4 = {"x", "w_q", "w_k", "w_v"};
const Words weights6 = {"x", "w_q", "w_k", "w_v", "w_o", "n_heads"};

TEST_CASE("the name proposes, the signature decides", "[match]") {
  struct Row {
    std::vector<Callable> callables;
    Words expected;
  };
  const std::vector<Row> rows = {
      {{function("attention", qkv)}, {"attention=attention"}},
      {{function("Attention", qkv)}, {"attention=Attention"}},
      {{function("scaled_dot_product_attention", qkv)},
       {"attention=scaled_dot_product_attention"}},
      {{function("attention", qkvm)}, {"masked_attention=attention"}},
      {{function("attention", qkv_optional)},
       {"attention=attention", "masked_attention=attention"}},
      {{function("attention", {"q", "k", "v", "what"})}, {"failure signature"}},
      {{function("masked_attention", {"q", "k", "v", "what"})},
       {"masked_attention=masked_attention"}},
      {{function("attention", {"q", "k", "v", "dropout="})},
       {"attention=attention"}},
      {{function("self_attention", qkv)}, {"attention=self_attention"}},
      {{function("self_attention", weights4)},
       {"self_attention=self_attention"}},
      {{function("self_attention", {"a", "b", "c", "d"})},
       {"self_attention=self_attention"}},
      {{function("attention", {"a", "b", "c", "d"})}, {"failure signature"}},
      {{function("attention", weights4)}, {"self_attention=attention"}},
      {{function("causal_attention", qkv)},
       {"causal_attention=causal_attention"}},
      {{function("causal_self_attention", qkv)},
       {"causal_attention=causal_self_attention"}},
      {{function("causal_self_attention", weights4)},
       {"causal_self_attention=causal_self_attention"}},
      {{function("mha", {"x", "wq", "wk", "wv", "wo", "h"})},
       {"multi_head_attention=mha"}},
      {{function("gqa", {"query", "key", "value"})},
       {"grouped_query_attention=gqa"}},
      {{function("multi_head_attention",
                 {"x", "w_q", "w_k", "w_v", "w_o", "n_heads", "mask="})},
       {"multi_head_attention=multi_head_attention",
        "masked_multi_head_attention=multi_head_attention"}},
      {{a_class(function("MaskedAttention", qkvm))},
       {"masked_attention=MaskedAttention"}},
  };
  for (const Row& row : rows) {
    INFO(row.callables.front().name);
    CHECK(outcome(match(row.callables)) == row.expected);
  }
}

TEST_CASE("arguments in another order are passed by keyword", "[match]") {
  const Matching matching = match({function("attention", {"v", "key", "q"})});
  CHECK(std::get<std::vector<Match>>(matching).at(0).keywords ==
        Words{"q", "key", "v"});
}

TEST_CASE("words around a name do not hide it", "[match]") {
  CHECK(outcome(match({function("my_attention", qkv)})) ==
        Words{"attention=my_attention"});
  CHECK(outcome(match({function("my_causal_attention", qkv)})) ==
        Words{"causal_attention=my_causal_attention"});
  CHECK(
      outcome(match({function("naive_attention", qkv),
                     function("fast_attention", qkv, {"naive_attention"})})) ==
      Words{"attention=fast_attention"});
  CHECK(outcome(match({function("my_attention", qkv),
                       function("scaled_dot_product_attention", qkv)})) ==
        Words{"attention=scaled_dot_product_attention"});
}

TEST_CASE("such a name counts only with arguments of known names", "[match]") {
  CHECK(outcome(match({function("apply_attention", {"a", "b", "c"})})) ==
        Words{"failure signature"});
  CHECK(outcome(match({function("linear_attention", qkv)})) ==
        Words{"failure no-function"});
}

TEST_CASE("an adorned name beside another attention may be its oracle",
          "[match]") {
  const Matching both = match({function("torch_attention", qkv),
                               function("my_att", {"q", "k", "v", "tile"})});
  CHECK(outcome(both) == Words{"failure ambiguous"});
  CHECK(detail(both).find("`torch_attention`") != std::string::npos);
  CHECK(detail(both).find("`my_att`") != std::string::npos);
  CHECK(detail(both).find("--entry NAME") != std::string::npos);
  CHECK(outcome(match({function("torch_attention", qkv),
                       function("attention", {"q", "k", "v", "tile"})})) ==
        Words{"failure ambiguous"});
}

TEST_CASE("what an adorned function calls is no rival of it", "[match]") {
  const Words tiles = {"q", "k", "v", "tile"};
  CHECK(outcome(match({function("my_attention", qkv, {"tiles"}),
                       function("tiles", qkv, {"one_tile"}),
                       function("one_tile", tiles)})) ==
        Words{"attention=my_attention"});
  CHECK(outcome(match({function("my_attention", qkv), function("_tiles", tiles),
                       function("test_it", qkv),
                       a_class(function("Block", qkv, {"my_attention"}),
                               "its constructor needs arguments: n")})) ==
        Words{"attention=my_attention"});
}

TEST_CASE("an oracle is no hindrance to a plain name", "[match]") {
  CHECK(outcome(
            match({function("attention", qkv), function("torch_attention", qkv),
                   function("solve", qkv)})) == Words{"attention=attention"});
  CHECK(outcome(match({function("multi_head_attention", weights6),
                       function("torch_attention", qkv),
                       function("solve", qkv)})) ==
        Words{"multi_head_attention=multi_head_attention"});
}

TEST_CASE("the parameter in the way is named", "[match]") {
  const auto text = [](const Words& parameters) {
    Callable callable = function("attention", parameters);
    callable.line = 2;
    return detail(match({callable}));
  };
  CHECK(text({"q", "k", "v", "bias"}) ==
        "`attention(q, k, v, bias)` (line 2) needs `bias`, which no task has: "
        "give it a default, or call it `mask` if it is one");
  CHECK(text({"q", "k", "v", "mask", "bias"}).find("needs `bias`") !=
        std::string::npos);
  CHECK(text({"q", "k", "v", "scale"}) ==
        "`attention(q, k, v, scale)` (line 2) needs `scale`, which no task "
        "has: give it a default");
}

TEST_CASE("a width that is asked for is remembered", "[match]") {
  const Matching matching =
      match({function("attention", {"Q", "K", "V", "d_k"})});
  REQUIRE(outcome(matching) == Words{"attention=attention"});
  CHECK(std::get<std::vector<Match>>(matching).at(0).filled ==
        std::vector<FilledParameter>{{"d_k", Filling::key_width}});
}

TEST_CASE("an option that cannot be filled is no mask", "[match]") {
  CHECK(outcome(match({function("attention", {"q", "k", "v", "scale"})})) ==
        Words{"failure signature"});
}

TEST_CASE("an exact name comes before an alias", "[match]") {
  CHECK(outcome(match({function("scaled_dot_product_attention", qkv),
                       function("attention", qkv)})) ==
        Words{"attention=attention"});
}

TEST_CASE("of two functions for a task the caller is meant", "[match]") {
  CHECK(outcome(match({function("scaled_dot_product_attention", qkv),
                       function("self_attention", qkv,
                                {"scaled_dot_product_attention"})})) ==
        Words{"attention=self_attention"});
  CHECK(outcome(match({function("attention", qkv),
                       a_class(function("Attention", qkv, {"attention"}))})) ==
        Words{"attention=Attention"});
}

TEST_CASE("a helper of another task counts for its own", "[match]") {
  CHECK(outcome(match({function("scaled_dot_product_attention", qkv),
                       function("multi_head_attention", weights6,
                                {"scaled_dot_product_attention"})})) ==
        Words{"attention=scaled_dot_product_attention",
              "multi_head_attention=multi_head_attention"});
}

TEST_CASE("a private name counts only where there is no other", "[match]") {
  CHECK(outcome(match({function("_attention", qkv),
                       function("multi_head_attention", weights6)})) ==
        Words{"multi_head_attention=multi_head_attention"});
  CHECK(outcome(match({function("_attention", qkv)})) ==
        Words{"attention=_attention"});
}

TEST_CASE("what stays ambiguous names the option", "[match]") {
  const Matching both = match({function("scaled_dot_product_attention", qkv),
                               function("self_attention", qkv)});
  CHECK(outcome(both) == Words{"failure ambiguous"});
  CHECK(detail(both).find("--entry NAME") != std::string::npos);
  const Matching circle = match(
      {function("scaled_dot_product_attention", qkv, {"self_attention"}),
       function("self_attention", qkv, {"scaled_dot_product_attention"})});
  CHECK(outcome(circle) == Words{"failure ambiguous"});
}

TEST_CASE("--entry and --task settle it", "[match]") {
  const std::vector<Callable> callables = {function("atention", qkv),
                                           function("attention", qkv),
                                           function("mine", qkvm)};
  const auto chosen = [&](const std::string& entry, const std::string& task) {
    return outcome(match(callables, {entry, task}));
  };
  CHECK(chosen("atention", "attention") == Words{"attention=atention"});
  CHECK(chosen("atention", "causal_attention") ==
        Words{"causal_attention=atention"});
  CHECK(chosen("attention", "") == Words{"attention=attention"});
  CHECK(chosen("", "attention") == Words{"attention=attention"});
  CHECK(chosen("mine", "masked_attention") == Words{"masked_attention=mine"});
  CHECK(chosen("mine", "attention") == Words{"failure signature"});
  CHECK(chosen("", "multi_head_attention") == Words{"failure no-function"});
  CHECK(chosen("atention", "") == Words{"failure ambiguous"});
  CHECK(detail(match(callables, {"atention", ""})) ==
        "say which with --task NAME: `atention` (line " +
            std::to_string(callables[0].line) +
            ") fits the tasks attention, grouped_query_attention, "
            "causal_attention and causal_grouped_query_attention");
  CHECK(chosen("attentoin", "") == Words{"failure no-function"});
  CHECK(detail(match(callables, {"attentoin", ""}))
            .find("there is no `attentoin`. Did you mean `attention`? ") == 0);
}

TEST_CASE("a misspelt name is named, with the options that grade it",
          "[match]") {
  Callable misspelt = function("atention", qkv);
  misspelt.line = 4;
  const Matching matching = match({function("soft_max", {"x"}), misspelt});
  CHECK(outcome(matching) == Words{"failure no-function"});
  CHECK(detail(matching) ==
        "no function of a task found. There is `atention` (line 4): did you "
        "mean `attention`?\n    --entry atention --task attention grades it as "
        "it is.");
}

TEST_CASE("a short name is no near miss", "[match]") {
  const std::string text = detail(match({function("mhq", weights6)}));
  CHECK(text.find("did you mean") == std::string::npos);
}

TEST_CASE("what was found is listed where nothing is near", "[match]") {
  Callable mine = function("mine", qkv);
  mine.line = 7;
  CHECK(detail(match({mine})) ==
        "no function of a task found. Found: `mine` (line 7).\n    --entry "
        "mine --task attention grades `mine`, if that is it.");
  CHECK(detail(match({})) ==
        "no function of a task found. The file defines no function.");
  const std::vector<Callable> many(5000, function("f", {"x"}));
  CHECK(detail(match(many)).size() < 400);
}

TEST_CASE("the right name with other arguments says what is expected",
          "[match]") {
  Callable wrong = function("attention", {"q", "k"});
  wrong.line = 3;
  const Matching matching = match({wrong});
  CHECK(outcome(matching) == Words{"failure signature"});
  CHECK(detail(matching) ==
        "`attention(q, k)` (line 3) has the arguments of no task. Expected: "
        "attention(q, k, v) and masked_attention(q, k, v, mask).");
}

TEST_CASE("a class that builds its own projections is not graded yet",
          "[match]") {
  const auto module = a_class(function("MultiHeadAttention", {"x"}),
                              "its constructor needs arguments: d_model");
  const Matching alone = match({function("softmax", {"x"}), module});
  CHECK(outcome(alone) == Words{"cannot unsupported"});
  CHECK(detail(alone).find("builds its own projections (its constructor "
                           "needs arguments: d_model)") != std::string::npos);
  CHECK(outcome(match({module, function("attention", qkv)})) ==
        Words{"attention=attention"});
  CHECK(outcome(match({a_class(function("SelfAttention", {"x"}))})) ==
        Words{"cannot unsupported"});
  CHECK(outcome(match({module}, {"MultiHeadAttention", ""})) ==
        Words{"cannot unsupported"});
}

TEST_CASE("a class without parameters is made with numbers that are known",
          "[match]") {
  Callable made = a_class(function("ScaledDotProductAttention", qkv),
                          "its constructor needs arguments: d_k, dropout");
  made.constructor = {{.name = "d_k"}, {.name = "dropout"}};
  const Matching matching = match({made});
  CHECK(outcome(matching) == Words{"attention=ScaledDotProductAttention"});
  CHECK(std::get<std::vector<Match>>(matching).front().constructor ==
        std::vector<FilledParameter>{{"d_k", Filling::key_width},
                                     {"dropout", Filling::zero}});
  made.constructor = {{.name = "temperature"}, {.name = "attn_dropout"}};
  const Matching unknown = match({made});
  CHECK(outcome(unknown) == Words{"failure constructor"});
  CHECK(detail(unknown).find("its constructor needs `temperature`, and") !=
        std::string::npos);
  made.constructor = {};
  CHECK(outcome(match({made})) == Words{"cannot unsupported"});
}

TEST_CASE("a constructor that fails is the candidate's", "[match]") {
  const auto broken = a_class(function("Attention", qkv),
                              "its constructor fails: ValueError: no");
  CHECK(outcome(match({broken})) == Words{"failure constructor"});
  CHECK(outcome(match({broken, function("attention", qkv)})) ==
        Words{"attention=attention"});
}

TEST_CASE("the framework of the function decides what it is passed",
          "[match]") {
  const auto match_of = [](Framework framework, const MatchOptions& options) {
    Callable callable = function("attention", qkv);
    callable.framework = framework;
    return std::get<std::vector<Match>>(match_tasks({{callable}, {}},
                                                    test_tasks(),
                                                    Language::python, options))
        .at(0);
  };
  const Match torch = match_of(Framework::torch, {});
  CHECK(torch.framework == Framework::torch);
  CHECK(torch.precision == DType::float32);
  CHECK(match_of(Framework::numpy, {}).precision == DType::float64);
  MatchOptions options;
  options.dtype = DType::bfloat16;
  CHECK(match_of(Framework::jax, options).precision == DType::bfloat16);
  options.framework = Framework::numpy;
  CHECK(match_of(Framework::jax, options).framework == Framework::numpy);
}

TEST_CASE("tensors have the type that the file has made the default",
          "[match]") {
  const auto precision_of = [](Framework framework,
                               const MatchOptions& options) {
    Callable callable = function("attention", qkv);
    callable.framework = framework;
    Description description{{callable}, {}};
    description.default_dtypes = {{Framework::torch, DType::float64}};
    return std::get<std::vector<Match>>(match_tasks(description, test_tasks(),
                                                    Language::python, options))
        .at(0)
        .precision;
  };
  CHECK(precision_of(Framework::torch, {}) == DType::float64);
  CHECK(precision_of(Framework::jax, {}) == DType::float32);
  CHECK(precision_of(Framework::numpy, {}) == DType::float64);
  MatchOptions options;
  options.dtype = DType::float32;
  CHECK(precision_of(Framework::torch, options) == DType::float32);
}

TEST_CASE("a method is found by its own name or that of its class", "[match]") {
  Callable method = function("Attention.compute", qkv);
  method.is_class = true;
  const Matching found =
      match_tasks({{method}, {}}, test_tasks(), Language::python, {});
  REQUIRE(std::holds_alternative<std::vector<Match>>(found));
  CHECK(std::get<std::vector<Match>>(found).at(0).task == "attention");
  method.name = "Model.scaled_dot_product_attention";
  CHECK(std::holds_alternative<std::vector<Match>>(
      match_tasks({{method}, {}}, test_tasks(), Language::python, {})));
}

TEST_CASE("a method that says what it is counts by its own name", "[match]") {
  CHECK(outcome(match({function("Attention.attention", qkv),
                       function("Attention.causal_attention", qkv)})) ==
        Words{"attention=Attention.attention",
              "causal_attention=Attention.causal_attention"});
  CHECK(outcome(match({function("Attention.causal_attention", qkv)},
                      {"", "attention"})) == Words{"failure no-function"});
}

TEST_CASE("a constructor that lacks a provided library is not the candidate's",
          "[match]") {
  const auto lacking = [](const std::string& module) {
    return match({a_class(function("Attention", qkv),
                          "its constructor fails: ModuleNotFoundError: No "
                          "module named '" +
                              module + "'")});
  };
  CHECK(outcome(lacking("torch")) == Words{"cannot environment"});
  CHECK(outcome(lacking("their_own")) == Words{"failure constructor"});
}

TEST_CASE("hostile names stay harmless", "[match]") {
  Callable hostile = function("atten\x1b[2Jtion\n", qkv);
  const std::string text = detail(match({hostile}));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(detail(match({function(std::string(100000, 'a'), qkv)})).size() < 600);
}

}  // namespace
}  // namespace grader
