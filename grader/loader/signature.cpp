// SPDX-License-Identifier: MIT
#include "grader/loader/signature.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "grader/loader/adornments.hpp"
#include "grader/loader/extra_parameters.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

bool is_mask(const Task& task, std::size_t argument) {
  return task.mask_mode == MaskMode::masked &&
         argument + 1 == task.arguments.size();
}

bool is_named(const Argument& argument, const std::string& name, bool exact) {
  if (exact) {
    return normalise(argument.name) == name;
  }
  return std::ranges::any_of(argument.aliases, [&](const std::string& alias) {
    return normalise(alias) == name;
  });
}

bool says_mask(const Callable& callable) {
  return normalise(callable.name).find("mask") != std::string::npos;
}

// A projection has x where these are.
bool has_query_key_value(const Callable& callable) {
  constexpr auto names = std::to_array<std::string_view>(
      {"q", "k", "v", "query", "key", "value", "queries", "keys", "values"});
  return std::ranges::any_of(
      callable.parameters, [&](const Parameter& parameter) {
        return std::ranges::find(names, normalise(parameter.name)) !=
               names.end();
      });
}

// Which parameter each argument goes to.
class Assignment {
 public:
  Assignment(const Callable& callable, const Task& task)
      : callable_(callable),
        task_(task),
        parameter_of_(task.arguments.size(), none),
        is_taken_(callable.parameters.size(), false) {
    assign_names(true);
    assign_names(false);
    recognised_ = static_cast<int>(parameter_of_.size() - open_arguments());
    fill_rest();
  }

  // False where arguments and required parameters do not come out even.
  bool assign_rest() {
    std::size_t parameter = 0;
    for (std::size_t i = 0; i < parameter_of_.size(); ++i) {
      if (parameter_of_[i] != none) {
        continue;
      }
      while (parameter < is_taken_.size() && !is_open(parameter)) {
        ++parameter;
      }
      if (parameter < is_taken_.size()) {
        if (!may_be_guessed(i, parameter)) {
          return false;
        }
        assign(i, parameter);
      } else if (!callable_.takes_any) {
        return false;
      }
    }
    for (std::size_t i = 0; i < is_taken_.size(); ++i) {
      if (is_open(i)) {
        return false;
      }
    }
    return true;
  }

  // With *args an argument may have no parameter of its own.
  bool is_positional() const {
    for (std::size_t i = 0; i < parameter_of_.size(); ++i) {
      const std::size_t parameter = parameter_of_[i];
      const bool is_in_place =
          parameter == none
              ? i >= is_taken_.size()
              : parameter == i && !callable_.parameters[i].keyword_only;
      if (!is_in_place) {
        return false;
      }
    }
    return true;
  }

  // Empty where some argument has no name to be passed by.
  std::vector<std::string> keywords() const {
    std::vector<std::string> names;
    for (const std::size_t parameter : parameter_of_) {
      if (parameter == none) {
        return {};
      }
      names.push_back(callable_.parameters[parameter].name);
    }
    return names;
  }

  int recognised() const { return recognised_; }

  // Required parameters that no argument has by name, and none is a width.
  std::vector<std::string> left_over() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < is_taken_.size(); ++i) {
      if (is_open(i)) {
        names.push_back(callable_.parameters[i].name);
      }
    }
    return names;
  }

  bool are_tensors_named() const {
    for (std::size_t i = 0; i < parameter_of_.size(); ++i) {
      if (parameter_of_[i] == none && !is_mask(task_, i)) {
        return false;
      }
    }
    return true;
  }

  // Of the tensors, those that are found by name and required.
  std::size_t required_tensors() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < parameter_of_.size(); ++i) {
      const std::size_t parameter = parameter_of_[i];
      count += parameter != none && !is_mask(task_, i) &&
                       !callable_.parameters[parameter].has_default
                   ? 1U
                   : 0U;
    }
    return count;
  }

  const std::vector<FilledParameter>& filled() const { return filled_; }

  // A mask that would only be swallowed by *args: the function may not want it.
  bool is_mask_guessed() const {
    return task_.mask_mode == MaskMode::masked && parameter_of_.back() == none;
  }

 private:
  bool is_open(std::size_t parameter) const {
    return !is_taken_[parameter] &&
           !callable_.parameters[parameter].has_default;
  }

  // Whether what has no known name may be the argument, by its place.
  bool may_be_guessed(std::size_t argument, std::size_t parameter) const {
    return !is_option(callable_.parameters[parameter].name) &&
           (!is_mask(task_, argument) || says_mask(callable_));
  }

  std::size_t open_arguments() const {
    return static_cast<std::size_t>(std::ranges::count(parameter_of_, none));
  }

  void assign(std::size_t argument, std::size_t parameter) {
    parameter_of_[argument] = parameter;
    is_taken_[parameter] = true;
  }

  void assign_names(bool exact) {
    for (std::size_t i = 0; i < parameter_of_.size(); ++i) {
      for (std::size_t j = 0; j < is_taken_.size(); ++j) {
        const Parameter& parameter = callable_.parameters[j];
        const bool is_flag = parameter.default_is_bool && is_mask(task_, i);
        if (parameter_of_[i] == none && !is_taken_[j] && !is_flag &&
            is_named(task_.arguments[i], normalise(parameter.name), exact)) {
          assign(i, j);
        }
      }
    }
  }

  // Parameters that no argument has by name, and that say a width or a switch.
  void fill_rest() {
    std::vector<Parameter> rest;
    for (std::size_t i = 0; i < is_taken_.size(); ++i) {
      if (!is_taken_[i]) {
        rest.push_back(callable_.parameters[i]);
      }
    }
    filled_ =
        fill_beside(rest, task_.kind, task_.mask_mode, are_tensors_named());
    for (std::size_t i = 0; i < is_taken_.size(); ++i) {
      is_taken_[i] = is_taken_[i] ||
                     std::ranges::find(filled_, callable_.parameters[i].name,
                                       &FilledParameter::name) != filled_.end();
    }
  }

  const Callable& callable_;
  const Task& task_;
  std::vector<std::size_t> parameter_of_;
  std::vector<bool> is_taken_;
  std::vector<FilledParameter> filled_;
  int recognised_ = 0;
};

std::string short_name(const std::string& name) {
  return one_line(name, 60);
}

NameRank propose_plain(const std::string& name, const Task& task) {
  if (name == normalise(task.name)) {
    return NameRank::exact;
  }
  if (task.mask_mode == MaskMode::masked &&
      name == normalise(to_string(task.kind))) {
    return NameRank::kind;
  }
  const bool is_alias = std::ranges::any_of(
      task.aliases,
      [&](const std::string& alias) { return normalise(alias) == name; });
  return is_alias ? NameRank::alias : NameRank::none;
}

// A method of the class Attention that is called `causal_attention` is no
// `attention`; one that is called `compute` is.
bool says_what(std::string_view method) {
  constexpr auto words = std::to_array<std::string_view>(
      {"attention", "attn", "sdpa", "mha", "gqa", "causal"});
  const std::string name = normalise(method);
  return std::ranges::any_of(words, [&](std::string_view word) {
    return name.find(word) != std::string::npos;
  });
}

}  // namespace

std::string normalise(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    if (letter != '_') {
      result +=
          static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return result;
}

NameRank propose(std::string_view function, const Task& task) {
  const std::size_t dot = function.find('.');
  if (dot != std::string_view::npos) {  // Class.method
    const std::string_view method = function.substr(dot + 1);
    const NameRank of_method = propose(method, task);
    return says_what(method)
               ? of_method
               : std::max(propose(function.substr(0, dot), task), of_method);
  }
  const NameRank rank = propose_plain(normalise(function), task);
  if (rank != NameRank::none) {
    return rank;
  }
  const std::string core = without_adornments(function);
  return core.empty() || propose_plain(core, task) == NameRank::none
             ? NameRank::none
             : NameRank::adorned;
}

std::optional<Fit> fit_signature(const Callable& callable, const Task& task) {
  Assignment assignment(callable, task);
  const bool is_own_name = propose(callable.name, task) == NameRank::exact;
  const bool is_projection_guessed =
      is_projected(task.kind) &&
      (has_query_key_value(callable) ||
       (assignment.recognised() == 0 && !is_own_name));
  if (is_projection_guessed || !assignment.assign_rest()) {
    return std::nullopt;
  }
  if (assignment.is_mask_guessed() && !is_own_name) {
    return std::nullopt;
  }
  if (assignment.is_positional()) {
    return Fit{{}, assignment.filled(), assignment.recognised()};
  }
  Fit fit{assignment.keywords(), assignment.filled(), assignment.recognised()};
  return fit.keywords.empty() ? std::nullopt : std::optional(fit);
}

bool takes_tensors_of(const Callable& callable, const Task& task) {
  constexpr std::size_t enough = 3;
  return Assignment(callable, task).required_tensors() >= enough;
}

std::vector<std::string> parameters_in_the_way(const Callable& callable,
                                               const Task& task) {
  const Assignment assignment(callable, task);
  return assignment.are_tensors_named() ? assignment.left_over()
                                        : std::vector<std::string>();
}

std::string signature_text(const Callable& callable) {
  constexpr std::size_t shown = 10;  // parameters
  std::string text = short_name(callable.name) + "(";
  std::string separator;
  bool is_after_star = false;
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    const Parameter& parameter = callable.parameters[i];
    if (i == shown) {
      return text + ", ...)";
    }
    if (parameter.keyword_only && !is_after_star) {
      text += separator + "*";
      separator = ", ";
      is_after_star = true;
    }
    text += separator + short_name(parameter.name);
    text += parameter.has_default ? "=..." : "";
    separator = ", ";
  }
  return text + (callable.takes_any ? separator + "*args)" : ")");
}

std::string signature_text(const Task& task) {
  std::string text = task.name + "(";
  for (std::size_t i = 0; i < task.arguments.size(); ++i) {
    text += (i == 0 ? "" : ", ") + task.arguments[i].name;
  }
  return text + ")";
}

}  // namespace grader
