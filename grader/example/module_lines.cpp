// SPDX-License-Identifier: MIT
#include "grader/example/module_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "grader/loader/signature.hpp"

namespace grader {
namespace {

// What may be given x, whatever it is called for: attention to itself.
constexpr auto token_names = std::to_array<std::string_view>({"x",
                                                              "input",
                                                              "inputs",
                                                              "inp",
                                                              "tokens",
                                                              "embeddings",
                                                              "hidden",
                                                              "seq",
                                                              "q",
                                                              "k",
                                                              "v",
                                                              "query",
                                                              "key",
                                                              "value",
                                                              "kv",
                                                              "queries",
                                                              "keys",
                                                              "values",
                                                              "hiddenstates",
                                                              "sequence",
                                                              "context",
                                                              "memory",
                                                              "embedded",
                                                              "src"});

bool is_identifier(std::string_view word) {
  return !word.empty() &&
         std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::ranges::all_of(word, [](unsigned char letter) {
           return std::isalnum(letter) != 0 || letter == '_';
         });
}

// "q_proj.weight"; not "heads.0.weight".
bool is_path(std::string_view name) {
  while (true) {
    const std::size_t dot = name.find('.');
    if (!is_identifier(name.substr(0, dot))) {
      return false;
    }
    if (dot == std::string_view::npos) {
      return true;
    }
    name.remove_prefix(dot + 1);
  }
}

// The number or the word that an expression of the study stands for.
std::optional<std::string> value_of(const std::string& expression,
                                    const Case& input) {
  const Dimensions& d = input.dimensions;
  const std::int64_t width = input.arguments.front().tensor.shape.back();
  const std::int64_t heads = std::max<std::int64_t>(d.heads, 1);
  const std::array<std::pair<std::string_view, std::int64_t>, 5> symbols = {
      {{"C", width},
       {"H", heads},
       {"C/H", width / heads},
       {"d_k", d.d_k},
       {"d_v", d.d_v}}};
  for (const auto& [symbol, value] : symbols) {
    if (expression == symbol) {
      return std::to_string(value);
    }
  }
  const bool is_literal =
      expression == "True" || expression == "False" || expression == "None" ||
      (!expression.empty() && expression.size() < 10 &&
       std::ranges::all_of(expression, [](unsigned char letter) {
         return std::isdigit(letter) != 0;
       }));
  return is_literal ? std::optional(expression) : std::nullopt;
}

// "d_model=12, num_heads=3" of "d_model = C, num_heads = H".
std::optional<std::string> constructor_text(std::string filled,
                                            const Case& input) {
  constexpr std::string_view between = ", ";
  constexpr std::string_view equals = " = ";
  std::string text;
  while (!filled.empty()) {
    const std::size_t end = filled.find(between);
    const std::string part = filled.substr(0, end);
    filled.erase(0, end == std::string::npos ? end : end + between.size());
    const std::size_t sign = part.find(equals);
    if (sign == std::string::npos || !is_identifier(part.substr(0, sign))) {
      return std::nullopt;
    }
    const auto value = value_of(part.substr(sign + equals.size()), input);
    if (!value) {
      return std::nullopt;
    }
    text += (text.empty() ? "" : ", ") + part.substr(0, sign) + "=" + *value;
  }
  return text;
}

// x for each of the tensors that it needs.
std::optional<std::string> argument_list(const Callable& callable,
                                         const std::string& x) {
  std::string list;
  for (const Parameter& parameter : callable.parameters) {
    if (parameter.has_default) {
      continue;
    }
    if (parameter.keyword_only ||
        std::ranges::find(token_names, normalise(parameter.name)) ==
            token_names.end()) {
      return std::nullopt;
    }
    list += (list.empty() ? "" : ", ") + x;
  }
  return list.empty() ? std::nullopt : std::optional(list);
}

// Each weight in a parameter of its own, and it is known which way round.
bool are_plain(const std::vector<ModuleParameter>& parameters,
               const Case& input) {
  const bool are_known =
      std::ranges::all_of(parameters, [](const ModuleParameter& parameter) {
        return is_path(parameter.name) && !parameter.orientation.empty();
      });
  const auto holders = [&](const std::string& weight) {
    return std::ranges::count(parameters, weight, &ModuleParameter::holds);
  };
  // x is the first argument.
  return are_known && parameters.size() + 1 == input.arguments.size() &&
         std::all_of(input.arguments.begin() + 1, input.arguments.end(),
                     [&](const NamedTensor& argument) {
                       return holders(argument.name) == 1;
                     });
}

bool is_usual(const ModuleStudy& study, const ModuleReading& reading) {
  return std::ranges::all_of(study.conventions, [&](const Convention& one) {
    const auto chosen = reading.find(one.name);
    return chosen == reading.end() ||
           chosen->second == one.options.front().word;
  });
}

}  // namespace

std::vector<std::string> module_lines(const Case& input, const Match& match,
                                      const std::string& before,
                                      const std::string& after) {
  const ModuleStudy& study = *match.callable.module;
  const auto constructor = constructor_text(study.filled, input);
  const auto arguments = argument_list(match.callable, before + "x" + after);
  // What a mask looks like is a convention, too. A remark may say that more was
  // done to the class than is written here.
  const bool can_be_said =
      match.framework == Framework::torch && study.settled && !input.mask &&
      study.remarks.empty() && is_identifier(match.callable.name) &&
      constructor && arguments && are_plain(study.parameters, input) &&
      is_usual(study, *match.module);
  if (!can_be_said) {
    return {};
  }
  std::vector<std::string> lines = {
      "module = " + match.callable.name + "(" + *constructor + ").eval()",
      "biases = [p for n, p in module.named_parameters() if \"bias\" in n]",
      "for bias in biases: bias.data.zero_()"};
  for (const ModuleParameter& parameter : study.parameters) {
    std::string line = "module." + parameter.name + ".data = ";
    line.append(before).append(parameter.holds).append(after);
    line += parameter.orientation == "out-in" ? ".T" : "";
    lines.push_back(std::move(line));
  }
  lines.push_back("module(" + *arguments + ")");
  return lines;
}

}  // namespace grader
