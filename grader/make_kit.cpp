// SPDX-License-Identifier: MIT
#include "grader/make_kit.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/system/error.hpp"

namespace grader {

std::string_view kit_instructions();
std::string_view kit_notes();
std::string_view kit_workflow();

namespace {

// What it is called with, a line each; masks and causality come on top.
std::string shapes_of(Kind kind) {
  switch (kind) {
    case Kind::attention:
      return "q (..., n, d_k), k (..., m, d_k), v (..., m, d_v)\n"
             "output (..., n, d_v), weights (..., n, m)\n";
    case Kind::self_attention:
      return "x (..., n, C), w_q and w_k (C, d_k), w_v (C, d_v), applied as x "
             "@ "
             "w\n"
             "output (..., n, d_v), weights (..., n, n)\n";
    case Kind::multi_head_attention:
      return "x (B, n, C), w_q, w_k, w_v and w_o (C, C), applied as x @ w;\n"
             "n_heads divides C, head h owns columns h*C/H to (h+1)*C/H\n"
             "output (B, n, C), weights (B, H, n, n)\n";
    case Kind::grouped_query_attention:
      return "q (B, Hq, n, d_k), k (B, Hk, m, d_k), v (B, Hk, m, d_v);\n"
             "query head h uses key head h // (Hq / Hk)\n"
             "output (B, Hq, n, d_v), weights (B, Hq, n, m)\n";
  }
  return "";
}

std::string mask_line(MaskMode mode) {
  switch (mode) {
    case MaskMode::none:
      return "";
    case MaskMode::masked:
      return "mask, boolean, broadcastable to the weights: True = may attend\n";
    case MaskMode::causal:
      return "n = m: query i sees the keys 0..i and no later one\n";
  }
  return "";
}

std::string description_of(const Task& task) {
  return shapes_of(task.kind) + mask_line(task.mask_mode);
}

std::string indented(const std::string& lines, const std::string& by) {
  std::string text;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin) + 1;
    text += by + lines.substr(begin, end - begin);
    begin = end;
  }
  return text;
}

std::string python_stub(const Task& task) {
  std::string parameters;
  for (const Argument& argument : task.arguments) {
    parameters += (parameters.empty() ? "" : ", ") + argument.name;
  }
  return "import numpy as np\n\n\ndef " + task.name + "(" + parameters +
         "):\n    \"\"\"softmax(q k^T / sqrt(d_k)) v. Return output, "
         "weights.\n\n" +
         indented(description_of(task), "    ") +
         "    \"\"\"\n    raise NotImplementedError\n";
}

std::string notebook_stub(const Task& task) {
  const nlohmann::json cell = {{"cell_type", "code"},
                               {"execution_count", nullptr},
                               {"id", "stub"},
                               {"metadata", nlohmann::json::object()},
                               {"outputs", nlohmann::json::array()},
                               {"source", python_stub(task)}};
  const nlohmann::json notebook = {{"cells", {cell}},
                                   {"metadata", nlohmann::json::object()},
                                   {"nbformat", 4},
                                   {"nbformat_minor", 5}};
  return notebook.dump(1) + "\n";
}

// "int attention(const double *q, ...)", of the header.
std::string declaration_of(const Task& task, const std::string& header) {
  const std::size_t begin = header.find("\nint " + task.name + "(");
  if (begin == std::string::npos) {
    throw Error(Blame::usage,
                "cannot make a stub in C: there is no C interface "
                "of " +
                    task.name + "; leave --language to python");
  }
  return header.substr(begin + 1, header.find(';', begin) - begin - 1);
}

std::string native_stub(const Task& task, const std::string& header) {
  return "#include \"attngrade.h\"\n\n/* weights = softmax(q k^T / sqrt(d_k)), "
         "output = weights v. Arrays are dense and\n * row-major; weights may "
         "be "
         "NULL; return 0. attngrade.h has the shapes. */\n" +
         declaration_of(task, header) + " {\n  return 1; /* not yet */\n}\n";
}

KitFile stub(const KitPlan& plan, const std::string& language) {
  const std::filesystem::path folder = "submission";
  if (language == "python") {
    return {folder / (plan.task.name + ".py"), python_stub(plan.task)};
  }
  if (language == "notebook") {
    return {folder / (plan.task.name + ".ipynb"), notebook_stub(plan.task)};
  }
  return {folder / (plan.task.name + (language == "c" ? ".c" : ".cpp")),
          native_stub(plan.task, plan.header)};
}

// Which one is to be written.
std::string list_of(const std::vector<KitFile>& stubs) {
  if (stubs.size() == 1) {
    return "Write it in `" + stubs.front().name.string() + "`.\n";
  }
  std::string text = "Write it in one of these, and delete the others:\n\n";
  for (const KitFile& one : stubs) {
    text += "- `" + one.name.string() + "`\n";
  }
  return text;
}

using Words = std::vector<std::pair<std::string, std::string>>;

std::string filled(std::string_view text, const Words& words) {
  std::string result(text);
  for (const auto& [word, value] : words) {
    for (std::size_t at = result.find(word); at != std::string::npos;
         at = result.find(word, at + value.size())) {
      result.replace(at, word.size(), value);
    }
  }
  return result;
}

}  // namespace

std::vector<KitFile> make_kit(const KitPlan& plan) {
  std::vector<KitFile> stubs;
  for (const std::string& language : plan.languages) {
    stubs.push_back(stub(plan, language));
  }
  std::vector<KitFile> files = stubs;
  const Words words = {
      {"@TASK@", plan.task.name},
      {"@STUBS@", list_of(stubs)},
      {"@SHAPES@", indented(description_of(plan.task), "    ")},
      {"@FIRST@", stubs.front().name.string()}};
  files.push_back({"INSTRUCTIONS.md", filled(kit_instructions(), words)});
  files.push_back({"INTERVIEWER.md", filled(kit_notes(), words)});
  files.push_back({".github/workflows/check.yml", std::string(kit_workflow())});
  const bool is_native =
      std::ranges::any_of(plan.languages, [](const std::string& language) {
        return language == "c" || language == "cpp";
      });
  if (is_native) {
    files.push_back({"include/attngrade.h", plan.header});
  }
  return files;
}

}  // namespace grader
