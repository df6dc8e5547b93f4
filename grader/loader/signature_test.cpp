// SPDX-License-Identifier: MIT
#include "grader/loader/signature.hpp"

#include <cstdlib>

#include "grader/loader/extra_parameters.hpp"
#include "grader/loader/test_tasks.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

using Words = std::vector<std::string>;

// "q", "mask=" (has a default), "flag=True", "d_k=64", "*q" (keyword only),
// "*args"
Callable with_parameters(const std::string& name, const Words& parameters) {
  Callable callable;
  callable.name = name;
  for (std::string word : parameters) {
    Parameter parameter;
    if (word == "*args") {
      callable.takes_any = true;
      continue;
    }
    if (word.starts_with('*')) {
      parameter.keyword_only = true;
      word.erase(0, 1);
    }
    const std::size_t equals = word.find('=');
    parameter.has_default = equals != std::string::npos;
    const std::string value =
        parameter.has_default ? word.substr(equals + 1) : "";
    parameter.default_is_bool = value == "True" || value == "False";
    parameter.default_is_true = value == "True";
    parameter.default_width = std::atoi(value.c_str());
    parameter.name = word.substr(0, equals);
    callable.parameters.push_back(parameter);
  }
  return callable;
}

std::string word(Filling filling) {
  return filling == Filling::key_width     ? "key"
         : filling == Filling::value_width ? "value"
         : filling == Filling::model_width ? "model"
                                           : filling_text(filling);
}

struct Row {
  std::string task;
  Words parameters;
  bool fits;
  Words keywords;  // empty: by position
};

TEST_CASE("a signature fits by number, then by names", "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  const std::vector<Row> rows = {
      {"attention", {"q", "k", "v"}, true, {}},
      {"attention", {"Q", "K", "V"}, true, {}},
      {"attention", {"a", "b", "c"}, true, {}},
      {"attention", {"x_q", "x_k", "x_v"}, true, {}},
      {"attention", {"q", "k"}, false, {}},
      {"attention", {}, false, {}},
      {"attention", {"q", "k", "v", "mask"}, false, {}},
      {"attention", {"q", "k", "v", "mask="}, true, {}},
      {"attention", {"q", "k", "v", "dropout=", "scale="}, true, {}},
      {"attention", {"q", "k", "v", "*scale"}, false, {}},
      {"attention", {"v", "k", "q"}, true, {"q", "k", "v"}},
      {"attention",
       {"keys", "queries", "values"},
       true,
       {"queries", "keys", "values"}},
      {"attention",
       {"*query", "*key", "*value"},
       true,
       {"query", "key", "value"}},
      {"attention", {"q", "*a", "*b"}, true, {"q", "a", "b"}},
      {"attention", {"scale=", "q", "k", "v"}, true, {"q", "k", "v"}},
      {"attention", {"key", "what", "value"}, true, {"what", "key", "value"}},
      {"attention", {"q=", "k=", "v="}, true, {}},
      {"attention", {"*args"}, true, {}},
      {"attention", {"q", "*args"}, true, {}},
      {"attention", {"k", "*args"}, false, {}},
      {"attention", {"a", "b", "c", "d", "*args"}, false, {}},
      {"masked_attention", {"q", "k", "v", "mask"}, true, {}},
      {"masked_attention", {"q", "k", "v", "what"}, false, {}},
      {"masked_attention", {"a", "b", "c", "d"}, false, {}},
      {"self_attention", {"a", "b", "c", "d"}, false, {}},
      {"self_attention", {"x", "a", "b", "c"}, true, {}},
      {"self_attention", {"x", "q", "k", "v"}, false, {}},
      {"masked_attention", {"q", "k", "v", "attn_mask="}, true, {}},
      {"masked_attention", {"q", "k", "v", "dropout="}, false, {}},
      {"masked_attention", {"q", "k", "v", "mask=True"}, false, {}},
      {"masked_attention", {"q", "k", "v"}, false, {}},
      {"masked_attention",
       {"q", "k", "v", "dropout=", "mask="},
       true,
       {"q", "k", "v", "mask"}},
      {"masked_attention",
       {"mask", "q", "k", "v"},
       true,
       {"q", "k", "v", "mask"}},
      {"masked_attention",
       {"a", "b", "c", "*mask"},
       true,
       {"a", "b", "c", "mask"}},
      {"masked_attention", {"*args"}, false, {}},
      {"multi_head_attention",
       {"x", "w_q", "w_k", "w_v", "w_o", "n_heads"},
       true,
       {}},
      {"multi_head_attention", {"x", "wq", "wk", "wv", "wo", "h"}, true, {}},
      {"multi_head_attention",
       {"x", "W_Q", "W_K", "W_V", "W_O", "num_heads="},
       true,
       {}},
      {"multi_head_attention", {"x", "wq", "wk", "wv", "wo"}, false, {}},
      {"multi_head_attention",
       {"n_heads", "x", "w_q", "w_k", "w_v", "w_o"},
       true,
       {"x", "w_q", "w_k", "w_v", "w_o", "n_heads"}},
      {"masked_multi_head_attention",
       {"x", "w_q", "w_k", "w_v", "w_o", "n_heads", "mask="},
       true,
       {}},
  };
  for (const Row& row : rows) {
    const Callable callable = with_parameters("some_function", row.parameters);
    INFO(row.task << " <- " << signature_text(callable));
    const auto fit = fit_signature(callable, test_task_named(tasks, row.task));
    CHECK(fit.has_value() == row.fits);
    CHECK((fit ? fit->keywords : Words{}) == row.keywords);
  }
}

TEST_CASE("arguments that are known by name are counted", "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  const auto count = [&](const Words& parameters, const std::string& task) {
    return fit_signature(with_parameters("f", parameters),
                         test_task_named(tasks, task))
        ->recognised;
  };
  CHECK(count({"query", "K", "c"}, "attention") == 2);
  CHECK(count({"x", "wq", "wk", "wv"}, "self_attention") == 4);
  CHECK(count({"a", "b", "c"}, "attention") == 0);
}

TEST_CASE("a required width is filled, by name and beside the arguments",
          "[signature]") {
  struct Filled {
    std::string task;
    Words parameters;
    Words filled;  // "d_k key"
    Words keywords;
  };
  const std::vector<Filled> rows = {
      {"attention", {"Q", "K", "V", "d_k"}, {"d_k key"}, {}},
      {"attention", {"q", "k", "v", "dim"}, {"dim key"}, {}},
      {"attention", {"a", "b", "c", "d_model"}, {"d_model key"}, {}},
      {"attention", {"d_k", "q", "k", "v"}, {"d_k key"}, {"q", "k", "v"}},
      {"attention", {"q", "k", "v", "d_k="}, {}, {}},
      {"attention", {"q", "k", "v", "d_k=64"}, {"d_k key"}, {}},
      {"attention", {"q", "k", "v", "dim=64"}, {"dim key"}, {}},
      {"attention", {"a", "b", "c", "dim=64"}, {}, {}},
      {"attention", {"q", "k", "v", "causal=True"}, {"causal False"}, {}},
      {"attention", {"q", "k", "v", "causal=False"}, {}, {}},
      {"attention", {"q", "k", "v", "causal=1"}, {}, {}},
      {"attention", {"q", "k", "v", "training=True"}, {"training False"}, {}},
      {"attention", {"q", "k", "v", "eval_mode=False"}, {"eval_mode True"}, {}},
      {"attention", {"q", "k", "v", "training"}, {"training False"}, {}},
      {"attention",
       {"q", "k", "v", "d_model=512", "num_heads=8"},
       {"d_model key", "num_heads 1"},
       {}},
      {"attention",
       {"q", "k", "v", "d_k=64", "dim=512", "heads=8"},
       {"d_k key", "dim key", "heads 1"},
       {}},
      {"attention",
       {"q", "k", "v", "d_model=512", "num_heads=1"},
       {"d_model key"},
       {}},
      {"attention",
       {"q", "k", "v", "d_model", "n_heads=8"},
       {"d_model key", "n_heads 1"},
       {}},
      {"causal_attention", {"q", "k", "v", "causal"}, {"causal True"}, {}},
      {"causal_attention",
       {"q", "k", "v", "is_causal=False"},
       {"is_causal True"},
       {}},
      {"causal_attention", {"q", "k", "v", "is_causal=True"}, {}, {}},
      {"masked_attention",
       {"q", "k", "v", "mask=", "*causal=True"},
       {"causal False"},
       {}},
      {"masked_attention",
       {"q", "k", "v", "d_k", "mask="},
       {"d_k key"},
       {"q", "k", "v", "mask"}},
      {"attention", {"q", "k", "v", "d_q"}, {"d_q key"}, {}},
      {"attention",
       {"q", "k", "v", "d_k", "d_v"},
       {"d_k key", "d_v value"},
       {}},
      {"self_attention",
       {"x", "w_q", "w_k", "w_v", "d_model", "*d_k"},
       {"d_model model", "d_k key"},
       {}},
  };
  const std::vector<Task> tasks = test_tasks();
  for (const Filled& row : rows) {
    const Callable callable = with_parameters("f", row.parameters);
    INFO(row.task << " <- " << signature_text(callable));
    const auto fit = fit_signature(callable, test_task_named(tasks, row.task));
    REQUIRE(fit.has_value());
    Words filled;
    for (const FilledParameter& parameter : fit->filled) {
      filled.push_back(parameter.name + " " + word(parameter.filling));
    }
    CHECK(filled == row.filled);
    CHECK(fit->keywords == row.keywords);
  }
}

TEST_CASE("a mask needs its name, unless the function is called masked",
          "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  const Task& masked = test_task_named(tasks, "masked_attention");
  const Words unknown = {"q", "k", "v", "what"};
  CHECK_FALSE(fit_signature(with_parameters("attention", unknown), masked));
  CHECK(fit_signature(with_parameters("masked_attention", unknown), masked));
  CHECK(fit_signature(with_parameters("attention_with_mask", unknown), masked));
}

TEST_CASE("what is in the way is named, once the tensors are known",
          "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  const Task& attention = test_task_named(tasks, "attention");
  CHECK(parameters_in_the_way(
            with_parameters("f", {"q", "k", "v", "bias", "d_k"}), attention) ==
        Words{"bias"});
  CHECK(parameters_in_the_way(with_parameters("f", {"q", "k", "v", "bias="}),
                              attention)
            .empty());
  CHECK(parameters_in_the_way(with_parameters("f", {"a", "b", "c", "bias"}),
                              attention)
            .empty());
}

TEST_CASE("tensors of a task are known whatever the function is called",
          "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  const Task& attention = test_task_named(tasks, "attention");
  CHECK(takes_tensors_of(with_parameters("f", {"q", "k", "v", "tile"}),
                         attention));
  CHECK_FALSE(
      takes_tensors_of(with_parameters("f", {"q", "k", "v="}), attention));
  CHECK_FALSE(
      takes_tensors_of(with_parameters("f", {"a", "b", "c"}), attention));
  CHECK(takes_tensors_of(with_parameters("f", {"x", "w_q", "w_k"}),
                         test_task_named(tasks, "self_attention")));
}

TEST_CASE("a width or an option is passed no tensor", "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  for (const std::string name : {"d_k", "dim", "scale", "training", "heads"}) {
    const Callable callable =
        with_parameters("attention", {"q", "k", "v", name});
    INFO(name);
    CHECK(!fit_signature(callable, test_task_named(tasks, "masked_attention")));
  }
  CHECK(!fit_signature(with_parameters("attention", {"q", "k", "v", "scale"}),
                       test_task_named(tasks, "self_attention")));
}

TEST_CASE("an unreadable signature takes a mask only under the task's own name",
          "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  const Task& masked = test_task_named(tasks, "masked_attention");
  CHECK(fit_signature(with_parameters("masked_attention", {"*args"}), masked));
  CHECK_FALSE(fit_signature(with_parameters("attention", {"*args"}), masked));
}

TEST_CASE("names propose tasks without regard to case and underscores",
          "[signature]") {
  const std::vector<Task> tasks = test_tasks();
  const Task& attention = test_task_named(tasks, "attention");
  CHECK(propose("attention", attention) == NameRank::exact);
  CHECK(propose("_Attention", attention) == NameRank::exact);
  CHECK(propose("ScaledDotProductAttention", attention) == NameRank::alias);
  CHECK(propose("my_attention", attention) == NameRank::adorned);
  CHECK(propose("NaiveSelfAttention", attention) == NameRank::adorned);
  CHECK(propose("linear_attention", attention) == NameRank::none);
  CHECK(propose("atention", attention) == NameRank::none);
  CHECK(propose("", attention) == NameRank::none);
}

TEST_CASE("signatures are shown bounded and printable", "[signature]") {
  CHECK(signature_text(with_parameters("f", {"q", "mask=", "*v", "*args"})) ==
        "f(q, mask=..., *, v, *args)");
  CHECK(signature_text(with_parameters("f", {})) == "f()");
  CHECK(signature_text(with_parameters("f\x1b[31m", {"\n"})).find('\x1b') ==
        std::string::npos);
  CHECK(signature_text(with_parameters("f", Words(5000, "a"))).size() < 100);
  CHECK(signature_text(with_parameters(std::string(5000, 'f'), {})).size() <
        100);
}

}  // namespace
}  // namespace grader
