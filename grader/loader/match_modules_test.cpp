// SPDX-License-Identifier: MIT
#include "grader/loader/match_modules.hpp"

#include "grader/loader/test_matching.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

struct Traits {
  Causality causal = Causality::never;
  MaskUse mask = MaskUse::none;
  Kind kind = Kind::multi_head_attention;
};

constexpr Traits single_head{.kind = Kind::self_attention};

Callable module(const std::string& name, const Traits& traits = {},
                const Words& called = {}) {
  Callable callable;
  callable.name = name;
  callable.line = 3;
  callable.is_class = true;
  callable.problem = "its constructor needs arguments: d_model";
  callable.parameters = {{.name = "x"}};
  callable.calls = called;
  callable.module = ModuleStudy{.kind = traits.kind};
  callable.module->causal = traits.causal;
  callable.module->mask = traits.mask;
  return callable;
}

Callable problematic(const std::string& name, const std::string& kind,
                     const Words& called = {}) {
  Callable callable = module(name, {}, called);
  callable.module = ModuleStudy{
      .kind = {}, .problem = "why it is none", .problem_kind = kind};
  return callable;
}

TEST_CASE("the study decides the kind of a class, not its name",
          "[match_modules]") {
  CHECK(outcome(match({module("SelfAttention")})) ==
        Words{"multi_head_attention=SelfAttention"});
  CHECK(outcome(match({module("MultiHeadAttention", single_head)})) ==
        Words{"self_attention=MultiHeadAttention"});
  CHECK(outcome(match({module("Attention")})) ==
        Words{"multi_head_attention=Attention"});
}

TEST_CASE("a module is matched as one", "[match_modules]") {
  const Matching matching = match({module("MultiHeadAttention")});
  const Match& found = std::get<std::vector<Match>>(matching).at(0);
  REQUIRE(found.module);
  CHECK(found.module->empty());
  CHECK(found.keywords.empty());
  CHECK(found.constructor.empty());
  CHECK(found.remarks ==
        Words{"graded as multi_head_attention: `MultiHeadAttention` (line 3) "
              "builds its own projections"});
}

TEST_CASE("the study says which mask modes a class is graded in",
          "[match_modules]") {
  struct Row {
    Traits traits;
    Words tasks;
  };
  const std::string plain = "multi_head_attention=MHA";
  const std::string masked = "masked_multi_head_attention=MHA";
  const std::string causal = "causal_multi_head_attention=MHA";
  const std::vector<Row> rows = {
      {{Causality::never, MaskUse::none}, {plain}},
      {{Causality::never, MaskUse::optional}, {plain, masked}},
      {{Causality::never, MaskUse::required}, {masked}},
      {{Causality::always, MaskUse::none}, {causal}},
      {{Causality::always, MaskUse::optional}, {masked, causal}},
      {{Causality::always, MaskUse::required}, {masked}},
      {{Causality::by_switch, MaskUse::none}, {plain, causal}},
      {{Causality::by_switch, MaskUse::optional}, {plain, masked, causal}},
      {{Causality::by_switch, MaskUse::required}, {masked}}};
  for (const Row& row : rows) {
    CHECK(outcome(match({module("MHA", row.traits)})) == row.tasks);
  }
}

TEST_CASE("a name that says causal makes the task causal", "[match_modules]") {
  CHECK(outcome(match({module("CausalSelfAttention")})) ==
        Words{"causal_multi_head_attention=CausalSelfAttention"});
  CHECK(outcome(match(
            {module("CausalAttention", {Causality::never, MaskUse::optional,
                                        Kind::self_attention})})) ==
        Words{"masked_self_attention=CausalAttention",
              "causal_self_attention=CausalAttention"});
}

TEST_CASE("--task decides the mask mode, if the kind fits", "[match_modules]") {
  const std::vector<Callable> causal = {
      module("CausalSelfAttention", {Causality::always, MaskUse::none})};
  const auto asked = [&](const std::string& task) {
    return match(causal, {"", task});
  };
  CHECK(outcome(asked("multi_head_attention")) ==
        Words{"multi_head_attention=CausalSelfAttention"});
  CHECK(outcome(asked("masked_multi_head_attention")) ==
        Words{"failure signature"});
  CHECK(outcome(asked("self_attention")) == Words{"failure signature"});
  CHECK(detail(asked("self_attention")) ==
        "`CausalSelfAttention` (line 3) builds its own projections: it is a "
        "multi_head_attention that takes no mask, which does not answer "
        "self_attention. Name another with --task");
  CHECK(outcome(match({module("MHA")}, {"", "causal_multi_head_attention"})) ==
        Words{"causal_multi_head_attention=MHA"});
  // A required mask may be None, or not.
  Callable needy = module("MHA", {Causality::never, MaskUse::required});
  CHECK(outcome(match({needy}, {"", "multi_head_attention"})) ==
        Words{"multi_head_attention=MHA"});
  needy.module->takes_no_mask = false;
  const Matching needs_mask = match({needy}, {"", "multi_head_attention"});
  CHECK(outcome(needs_mask) == Words{"failure signature"});
  CHECK(detail(needs_mask).find("that needs a mask") != std::string::npos);
}

TEST_CASE("a class that a matched class builds is a helper",
          "[match_modules]") {
  const Matching matching =
      match({module("Head", single_head), module("AttentionHead", single_head),
             module("MultiHeadAttention", {}, {"AttentionHead"}),
             problematic("Block", "unsupported", {"MultiHeadAttention"})});
  CHECK(outcome(matching) == Words{"multi_head_attention=MultiHeadAttention"});
  CHECK(std::get<std::vector<Match>>(matching).at(0).remarks ==
        Words{"graded as multi_head_attention: `MultiHeadAttention` (line 3) "
              "builds its own projections; `AttentionHead` is a helper of it; "
              "`Block` contains it"});
}

TEST_CASE("a function that a matched class calls is a helper",
          "[match_modules]") {
  const Callable sdpa = function("scaled_dot_product_attention", qkv);
  const Callable wrap =
      function("attend", {"a"}, {"scaled_dot_product_attention"});
  CHECK(outcome(match(
            {sdpa, wrap, module("MultiHeadAttention", {}, {"attend"})})) ==
        Words{"multi_head_attention=MultiHeadAttention"});
  CHECK(outcome(match({sdpa, module("MultiHeadAttention")})) ==
        Words{"attention=scaled_dot_product_attention",
              "multi_head_attention=MultiHeadAttention"});
  CHECK(outcome(match({sdpa, module("MultiHeadAttention", {},
                                    {"scaled_dot_product_attention"})},
                      {"", "attention"})) ==
        Words{"attention=scaled_dot_product_attention"});
}

TEST_CASE("what contains an attention is not taken for one",
          "[match_modules]") {
  CHECK(outcome(match({module("MultiHeadAttention"),
                       module("TransformerBlock", {}, {"MultiHeadAttention"}),
                       module("GPT", {}, {"TransformerBlock"})})) ==
        Words{"multi_head_attention=MultiHeadAttention"});
  const Matching alone = match({module("EncoderLayer")});
  CHECK(outcome(alone) == Words{"failure ambiguous"});
  CHECK(detail(alone).find("say which class with --entry NAME: `EncoderLayer`"
                           " (line 3) builds") == 0);
  CHECK(outcome(match({module("EncoderLayer")}, {"EncoderLayer", ""})) ==
        Words{"multi_head_attention=EncoderLayer"});
  CHECK(outcome(match({module("AttentionBlock")})) ==
        Words{"multi_head_attention=AttentionBlock"});
}

TEST_CASE("an attention of another formula is graded where it is asked for",
          "[match_modules]") {
  CHECK(outcome(match({module("LinearAttention")})) ==
        Words{"failure ambiguous"});
  CHECK(outcome(match({module("LinearAttention"), module("Attention")})) ==
        Words{"multi_head_attention=Attention"});
  CHECK(outcome(match({module("LinearAttention")}, {"LinearAttention", ""})) ==
        Words{"multi_head_attention=LinearAttention"});
}

TEST_CASE("a class of any name counts where it is the only one",
          "[match_modules]") {
  CHECK(outcome(match({module("Head", single_head)})) ==
        Words{"self_attention=Head"});
  CHECK(outcome(match({module("Head", single_head, {"attention"}),
                       function("attention", qkv)})) ==
        Words{"self_attention=Head"});
  CHECK(outcome(
            match({module("Gate", single_head), function("attention", qkv)})) ==
        Words{"attention=attention"});
  const Matching two =
      match({module("Head", single_head), module("Other", single_head)});
  CHECK(outcome(two) == Words{"failure ambiguous"});
  CHECK(detail(two).find("`Head` (line 3) and `Other` (line 3) build") !=
        std::string::npos);
}

TEST_CASE("the better name wins, equal ones are ambiguous", "[match_modules]") {
  CHECK(
      outcome(match({module("SelfAttention"), module("MultiHeadAttention")})) ==
      Words{"multi_head_attention=MultiHeadAttention"});
  CHECK(outcome(match({module("CrossAttention", single_head),
                       module("BertSelfAttention", single_head)})) ==
        Words{"self_attention=BertSelfAttention"});
  const Matching equals =
      match({module("FirstAttention"), module("SecondAttention")});
  CHECK(outcome(equals) == Words{"failure ambiguous"});
  CHECK(detail(equals).find("--entry NAME") != std::string::npos);
  CHECK(outcome(match({module("SelfAttention", single_head),
                       module("MultiHeadAttention")})) ==
        Words{"self_attention=SelfAttention",
              "multi_head_attention=MultiHeadAttention"});
  CHECK(outcome(match({module("MultiHeadAttention"),
                       function("multi_head_attention",
                                {"x", "w_q", "w_k", "w_v", "w_o",
                                 "n_heads"})})) == Words{"failure ambiguous"});
}

TEST_CASE("--entry grades a helper", "[match_modules]") {
  const std::vector<Callable> callables = {
      module("Head", single_head), module("MultiHeadAttention", {}, {"Head"})};
  CHECK(outcome(match(callables, {"Head", ""})) ==
        Words{"self_attention=Head"});
  CHECK(outcome(match(callables, {"Head", "causal_self_attention"})) ==
        Words{"causal_self_attention=Head"});
  CHECK(outcome(match(callables, {"Head", "attention"})) ==
        Words{"failure signature"});
}

TEST_CASE("a private class counts only where there is no other",
          "[match_modules]") {
  CHECK(outcome(match({module("_Attention")})) ==
        Words{"multi_head_attention=_Attention"});
  CHECK(outcome(match({module("_Attention"), module("MHA")})) ==
        Words{"multi_head_attention=MHA"});
}

TEST_CASE("classes that use each other are both there to choose from",
          "[match_modules]") {
  CHECK(outcome(match({module("FirstAttention", {}, {"SecondAttention"}),
                       module("SecondAttention", {}, {"FirstAttention"})})) ==
        Words{"failure ambiguous"});
}

TEST_CASE("a constructor that cannot be filled is the candidate's",
          "[match_modules]") {
  const Matching alone = match({problematic("MHA", "constructor")});
  CHECK(outcome(alone) == Words{"failure constructor"});
  CHECK(detail(alone) == "`MHA` (line 3) cannot be made: why it is none");
  CHECK(outcome(match({problematic("MHA", "unsupported")})) ==
        Words{"cannot unsupported"});
  CHECK(outcome(match({problematic("MHA", "environment")})) ==
        Words{"cannot environment"});
  CHECK(outcome(match({problematic("MHA", "unsupported")}, {"MHA", ""})) ==
        Words{"cannot unsupported"});
}

TEST_CASE("a problem counts only where nothing else was found",
          "[match_modules]") {
  CHECK(outcome(match(
            {problematic("MHA", "constructor"), function("attention", qkv)})) ==
        Words{"attention=attention"});
  CHECK(outcome(match({problematic("Block", "unsupported"),
                       problematic("MHA", "constructor")})) ==
        Words{"failure constructor"});
  CHECK(outcome(match({problematic("Block", "unsupported")})) ==
        Words{"failure no-function"});
}

TEST_CASE("a class without matrices of its own is called as ever",
          "[match_modules]") {
  Callable plain = problematic("ScaledDotProductAttention", "unsupported");
  plain.problem = "its constructor needs arguments: d_k";
  plain.constructor = {{.name = "d_k"}};
  plain.parameters = {{.name = "q"}, {.name = "k"}, {.name = "v"}};
  const Matching matching = match({plain});
  REQUIRE(outcome(matching) == Words{"attention=ScaledDotProductAttention"});
  CHECK_FALSE(std::get<std::vector<Match>>(matching).at(0).module);
}

TEST_CASE("a mask convention that is fixed is the reading of a class",
          "[match_modules]") {
  const std::vector<Callable> callables = {
      module("MHA", {Causality::never, MaskUse::required})};
  const auto reading = [&](const MatchOptions& options,
                           const std::vector<Task>& tasks) {
    const Matching matching =
        match_tasks({callables, {}}, tasks, Language::python, options);
    return *std::get<std::vector<Match>>(matching).at(0).module;
  };
  std::vector<Task> tasks = test_tasks();
  CHECK(reading({}, tasks).empty());
  MatchOptions options;
  options.mask_convention = MaskConvention::hide;
  CHECK(reading(options, tasks) == ModuleReading{{"mask_convention", "hide"}});
  for (Task& task : tasks) {
    task.mask_convention = MaskConvention::additive;
  }
  CHECK(reading({}, tasks) == ModuleReading{{"mask_form", "additive"}});
  CHECK(reading(options, tasks) == ModuleReading{{"mask_convention", "hide"}});
}

TEST_CASE("hostile names of classes stay harmless", "[match_modules]") {
  const Matching matching = match(
      {module("Attention\x1b[2J" + std::string(100000, 'a'), {}, {"Head"}),
       module("Head")});
  const Words remarks = std::get<std::vector<Match>>(matching).at(0).remarks;
  CHECK(remarks.at(0).size() < 400);
  CHECK(remarks.at(0).find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace grader
