// SPDX-License-Identifier: MIT
// Tasks for the tests of matching: the kinds and mask modes of the contract
// with a few of their aliases.
#pragma once

#include <string>
#include <vector>

#include "grader/fixture/task.hpp"

namespace grader {

inline Argument test_argument(const std::string& name) {
  if (name == "q") {
    return {"q", {"query", "queries"}};
  }
  if (name == "k") {
    return {"k", {"key", "keys"}};
  }
  if (name == "v") {
    return {"v", {"value", "values"}};
  }
  if (name == "mask") {
    return {"mask", {"attn_mask", "attention_mask"}};
  }
  if (name == "n_heads") {
    return {"n_heads", {"num_heads", "h"}};
  }
  return {name, {}};
}

inline Task test_task(Kind kind, MaskMode mask_mode,
                      std::vector<std::string> arguments) {
  Task task;
  task.name = to_string(kind);
  if (mask_mode != MaskMode::none) {
    task.name = to_string(mask_mode) + "_" + task.name;
  }
  task.kind = kind;
  task.mask_mode = mask_mode;
  if (mask_mode == MaskMode::masked) {
    arguments.emplace_back("mask");
  }
  for (const std::string& name : arguments) {
    task.arguments.push_back(test_argument(name));
  }
  task.libraries = {"numpy", "scipy", "torch"};
  return task;
}

inline std::vector<std::string> test_aliases(Kind kind, MaskMode mask_mode) {
  const bool is_masked = mask_mode == MaskMode::masked;
  const std::string prefix = mask_mode == MaskMode::causal ? "causal_" : "";
  std::vector<std::string> names;
  switch (kind) {
    case Kind::attention:
      names = {"scaled_dot_product_attention", "self_attention", "attention"};
      break;
    case Kind::self_attention:
      names = {"attention", "self_attention"};
      break;
    case Kind::multi_head_attention:
      names = {"mha", "multi_head_attention"};
      break;
    case Kind::grouped_query_attention:
      names = {"gqa", "grouped_query_attention"};
      break;
  }
  if (!is_masked) {
    names.pop_back();  // the task's own
  }
  for (std::string& name : names) {
    name.insert(0, prefix);
  }
  return names;
}

inline std::vector<Task> test_tasks() {
  const std::vector<std::string> weights = {"x", "w_q", "w_k", "w_v"};
  std::vector<Task> tasks;
  for (const MaskMode mode :
       {MaskMode::none, MaskMode::masked, MaskMode::causal}) {
    tasks.push_back(test_task(Kind::attention, mode, {"q", "k", "v"}));
    tasks.push_back(test_task(Kind::self_attention, mode, weights));
    tasks.push_back(test_task(Kind::multi_head_attention, mode,
                              {"x", "w_q", "w_k", "w_v", "w_o", "n_heads"}));
    tasks.push_back(
        test_task(Kind::grouped_query_attention, mode, {"q", "k", "v"}));
  }
  for (Task& task : tasks) {
    task.aliases = test_aliases(task.kind, task.mask_mode);
  }
  return tasks;
}

inline const Task& test_task_named(const std::vector<Task>& tasks,
                                   const std::string& name) {
  for (const Task& task : tasks) {
    if (task.name == name) {
      return task;
    }
  }
  return tasks.front();
}

}  // namespace grader
