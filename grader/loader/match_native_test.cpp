// SPDX-License-Identifier: MIT
#include "grader/loader/match_native.hpp"

#include "grader/loader/test_tasks.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

using Words = std::vector<std::string>;

Matching match_symbols(const Words& symbols, const MatchOptions& options = {}) {
  Description description;
  add_symbols(description, symbols);
  return match_tasks(description, test_tasks(), Language::native, options);
}

Words native_outcome(const Matching& matching) {
  const auto* matches = std::get_if<std::vector<Match>>(&matching);
  if (matches == nullptr) {
    return {"failure " + std::get<LoadFailure>(matching).kind};
  }
  Words words;
  for (const Match& found : *matches) {
    words.push_back(found.task + "=" + found.callable.name +
                    (found.is_float32 ? " float" : ""));
  }
  return words;
}

std::string native_detail(const Matching& matching) {
  return std::get<LoadFailure>(matching).detail;
}

TEST_CASE("a symbol's name is its signature", "[match_native]") {
  struct Row {
    Words symbols;
    Words expected;
  };
  const std::vector<Row> rows = {
      {{"attention"}, {"attention=attention"}},
      {{"_init", "attention", "causal_attention", "helper", "_fini"},
       {"attention=attention", "causal_attention=causal_attention"}},
      {{"attention_f32"}, {"attention=attention_f32 float"}},
      {{"attention_f32", "attention"}, {"attention=attention"}},
      {{"multi_head_attention"}, {"multi_head_attention=multi_head_attention"}},
      {{"Attention"}, {"failure no-function"}},
      {{"self_attention"}, {"failure no-function"}},
      {{"scaled_dot_product_attention"}, {"failure no-function"}},
      {{}, {"failure no-function"}},
  };
  for (const Row& row : rows) {
    INFO((row.symbols.empty() ? "no symbol" : row.symbols.front()));
    CHECK(native_outcome(match_symbols(row.symbols)) == row.expected);
  }
}

TEST_CASE("C++ linkage is named with its cure", "[match_native]") {
  CHECK(native_detail(
            match_symbols({"_Z9attentionPKdS0_S0_15attention_shapePdS2_"})) ==
        "found attention(double const*, double const*, double const*, "
        "attention_shape, double*, double*) with C++ linkage: declare it "
        "extern \"C\"");
  CHECK(native_detail(match_symbols({"_ZN4mine9attentionEi"})) ==
        "found mine::attention(int) with C++ linkage: declare it extern "
        "\"C\"");
  CHECK(native_outcome(match_symbols({"_Z9attentioni", "attention"})) ==
        Words{"attention=attention"});
}

TEST_CASE("a misspelt symbol is a near miss", "[match_native]") {
  CHECK(native_detail(match_symbols({"atention"})) ==
        "no function of a task found. There is `atention`: did you mean "
        "`attention`?\n    --entry atention --task attention grades it as it "
        "is.");
}

TEST_CASE("--entry takes any symbol, --task its signature", "[match_native]") {
  const Words symbols = {"atention", "attention_f32", "mine_f32"};
  const auto chosen = [&](const std::string& entry, const std::string& task) {
    return native_outcome(match_symbols(symbols, {entry, task}));
  };
  CHECK(chosen("atention", "masked_attention") ==
        Words{"masked_attention=atention"});
  CHECK(chosen("attention_f32", "") == Words{"attention=attention_f32 float"});
  CHECK(chosen("mine_f32", "attention") == Words{"attention=mine_f32 float"});
  CHECK(chosen("atention", "") == Words{"failure ambiguous"});
  CHECK(chosen("atention", "self_attention") == Words{"failure no-function"});
  CHECK(chosen("nothing", "attention") == Words{"failure no-function"});
}

TEST_CASE("hostile symbols end in plain text", "[match_native]") {
  // A short mangled name whose plain form doubles with every substitution.
  std::string bomb = "_Z9attentionPFiiiE";
  for (int i = 0; i < 200; ++i) {
    bomb += "PFS" + std::to_string(i % 10) + "_S_E";
  }
  for (const std::string& symbol :
       {std::string("_Z"), std::string("_Z9"), std::string("_Z9atten"),
        std::string("_Z99999999999999999999999999attention"),
        std::string("_ZN"), std::string("_ZNE"), std::string("_ZN9attention"),
        std::string("a\x1b[2J\n"), bomb}) {
    Description description;
    add_symbols(description, {symbol});
    for (const Callable& callable : description.callables) {
      CHECK(callable.problem.size() <= 200);
    }
    CHECK(native_detail(match_symbols({symbol})).find('\x1b') ==
          std::string::npos);
  }
  CHECK(match_symbols(Words(10000, "attention")).index() == 0);
}

}  // namespace
}  // namespace grader
