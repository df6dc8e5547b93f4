// SPDX-License-Identifier: MIT
#include "grader/loader/match_modules.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "grader/loader/call_graph.hpp"
#include "grader/loader/match_message.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

// In the name of a class, as normalise() spells it.
constexpr auto attention_words = std::to_array<std::string_view>(
    {"attention", "attn", "mha", "msa", "mhsa", "selfatt", "multihead"});
// What contains an attention, or stands beside one, and is none.
constexpr auto other_parts = std::to_array<std::string_view>(
    {"block", "layer", "encoder", "decoder", "transformer", "model", "net",
     "gpt", "bert", "mlp", "feedforward", "ffn", "norm", "embed", "position"});

// An attention of its own kind: only --entry makes it an answer to a task.
constexpr auto other_formulas = std::to_array<std::string_view>(
    {"linear", "local", "sparse", "window", "sliding", "dilated", "axial",
     "additive", "bahdanau", "luong", "performer", "linformer", "reformer",
     "longformer", "bigbird"});

template <std::size_t Size>
bool has_any(const std::string& name,
             const std::array<std::string_view, Size>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return name.find(word) != std::string::npos;
  });
}

bool says(const std::string& name, std::string_view word) {
  return name.find(word) != std::string::npos;
}

bool says_attention(const Callable& callable, const std::vector<Task>& tasks) {
  const std::string name = normalise(callable.name);
  const bool is_proposed = std::ranges::any_of(tasks, [&](const Task& task) {
    return is_projected(task.kind) &&
           propose(callable.name, task) != NameRank::none;
  });
  return is_proposed ||
         (has_any(name, attention_words) && !has_any(name, other_formulas));
}

bool is_other_part(const Callable& callable) {
  const std::string name = normalise(callable.name);
  return has_any(name, other_parts) || has_any(name, other_formulas);
}

// Where --task does not say: the class, or its name, says that it is causal; a
// mask that it may be given makes a second task, one that it needs the only.
bool answers_unasked(const Callable& callable, MaskMode mode) {
  const ModuleStudy& study = *callable.module;
  const bool is_causal = study.causal == Causality::always ||
                         (study.causal == Causality::never &&
                          says(normalise(callable.name), "causal"));
  switch (mode) {
    case MaskMode::none:
      return study.mask != MaskUse::required && !is_causal;
    case MaskMode::causal:
      return study.mask != MaskUse::required &&
             (is_causal || study.causal == Causality::by_switch);
    case MaskMode::masked:
      return study.mask != MaskUse::none;
  }
  return false;
}

// A causal class may be graded on the plain task, and the other way round: then
// that is its fault.
bool answers_asked(const ModuleStudy& study, MaskMode mode) {
  return mode == MaskMode::masked ? study.mask != MaskUse::none
                                  : study.takes_no_mask;
}

// How many of the words that the task is known by are in the name.
int told_words(const Callable& callable, const Task& task) {
  const std::string name = normalise(callable.name);
  const bool says_kind = task.kind == Kind::self_attention
                             ? says(name, "self")
                             : says(name, "multi") || says(name, "mh");
  const bool says_mode =
      (task.mask_mode == MaskMode::causal && says(name, "causal")) ||
      (task.mask_mode != MaskMode::none && says(name, "mask"));
  return (says_kind ? 1 : 0) + (says_mode ? 1 : 0) -
         (says(name, "cross") ? 1 : 0);
}

// The better name of the task, then the name that says more of it.
std::pair<NameRank, int> fitness(const ModuleAnswer& answer) {
  return {answer.rank, told_words(*answer.callable, *answer.task)};
}

using Classes = std::vector<const Callable*>;

bool contains(const Classes& classes, const Callable& callable) {
  return std::ranges::find(classes, &callable) != classes.end();
}

// Those whose name says attention, else the only one that can be graded.
Classes meant_classes(const ModuleQuestion& question, bool with_private) {
  Classes gradable;
  Classes named;
  for (const Callable& callable : question.callables) {
    if (!is_gradable_module(callable) ||
        callable.name.starts_with('_') != with_private) {
      continue;
    }
    if (says_attention(callable, question.tasks)) {
      named.push_back(&callable);
    } else if (!is_other_part(callable)) {
      gradable.push_back(&callable);
    }
  }
  const bool is_clear = !named.empty() || gradable.size() == 1;
  return !named.empty() ? named : is_clear ? gradable : Classes();
}

// Without those that others of them use; all, where they use each other.
Classes without_helpers(const Classes& classes,
                        const std::vector<Callable>& callables) {
  Classes kept;
  for (const Callable* one : classes) {
    const bool is_helper =
        std::ranges::any_of(classes, [&](const Callable* other) {
          return other != one &&
                 contains(all_called_by(*other, callables), *one);
        });
    if (!is_helper) {
      kept.push_back(one);
    }
  }
  return kept.empty() ? classes : kept;
}

// A class stands for what it is derived from, where both answer one task.
bool beats(const ModuleAnswer& a, const ModuleAnswer& b) {
  return fitness(a) != fitness(b) ? fitness(a) > fitness(b)
                                  : is_derived(*a.callable, *b.callable);
}

std::vector<ModuleAnswer> best_answers(const std::vector<ModuleAnswer>& all) {
  std::vector<ModuleAnswer> best;
  std::ranges::copy_if(all, std::back_inserter(best), [&](const auto& answer) {
    return std::ranges::none_of(all, [&](const ModuleAnswer& other) {
      return other.task == answer.task && beats(other, answer);
    });
  });
  return best;
}

std::string names_text(const Classes& classes) {
  std::vector<std::string> names;
  names.reserve(classes.size());
  for (const Callable* one : classes) {
    names.push_back("`" + one_line(one->name, 60) + "`");
  }
  return listed(names);
}

// "; `Head` is a helper of it", or nothing.
std::string clause(const Classes& classes, const std::string& one,
                   const std::string& several) {
  if (classes.empty()) {
    return "";
  }
  return "; " + names_text(classes) + (classes.size() == 1 ? one : several);
}

std::string kind_text(const Callable& callable) {
  return located(callable) + " builds its own projections";
}

// The class that was probably handed in: one that can be graded comes first.
const Callable* most_likely(const ModuleQuestion& question) {
  Classes named;
  Classes others;
  for (const Callable& callable : question.callables) {
    if (callable.module && says_attention(callable, question.tasks)) {
      named.push_back(&callable);
    } else if (callable.module && !is_other_part(callable)) {
      others.push_back(&callable);
    }
  }
  const Classes& likely = named.empty() ? others : named;
  const auto gradable = std::ranges::find_if(
      likely, [](const Callable* one) { return is_gradable_module(*one); });
  return gradable != likely.end() ? *gradable
         : likely.empty()         ? nullptr
                                  : likely.front();
}

// Classes that would answer, if anything said that they are meant.
LoadFailure unclear_modules(const Classes& classes) {
  std::vector<std::string> names(classes.size());
  std::ranges::transform(classes, names.begin(),
                         [](const Callable* one) { return located(*one); });
  return {"ambiguous",
          "say which class with --entry NAME: " + listed(names) +
              (classes.size() == 1 ? " builds its own projections"
                                   : " build their own projections") +
              ", and no name says that it is an attention of the usual "
              "formula"};
}

LoadFailure answers_none(const Callable& callable,
                         const std::vector<Task>& tasks) {
  const ModuleStudy& study = *callable.module;
  std::string text =
      kind_text(callable) + ": it is a " + to_string(*study.kind);
  text += study.mask == MaskUse::required ? " that needs a mask"
          : study.mask == MaskUse::none   ? " that takes no mask"
                                          : "";
  std::vector<std::string> names(tasks.size());
  std::ranges::transform(tasks, names.begin(), &Task::name);
  return {"signature", text + ", which does not answer " + listed(names) +
                           ". Name another with --task"};
}

}  // namespace

bool is_gradable_module(const Callable& callable) {
  return callable.module && callable.module->problem.empty();
}

std::vector<ModuleAnswer> answers_of(const Callable& callable,
                                     const ModuleQuestion& question) {
  std::vector<ModuleAnswer> answers;
  for (const Task& task : question.tasks) {
    const bool is_answered =
        question.is_asked ? answers_asked(*callable.module, task.mask_mode)
                          : answers_unasked(callable, task.mask_mode);
    if (task.kind == callable.module->kind && is_answered) {
      answers.push_back({&callable, &task, propose(callable.name, task)});
    }
  }
  return answers;
}

Modules find_modules(const ModuleQuestion& question, bool with_private) {
  Classes meant = meant_classes(question, with_private);
  std::erase_if(meant, [&](const Callable* one) {
    return answers_of(*one, question).empty();
  });
  Modules modules;
  modules.is_guess = std::ranges::none_of(meant, [&](const Callable* one) {
    return says_attention(*one, question.tasks);
  });
  std::vector<ModuleAnswer> all;
  for (const Callable* one : without_helpers(meant, question.callables)) {
    std::ranges::copy(answers_of(*one, question), std::back_inserter(all));
    Classes used = all_called_by(*one, question.callables);
    std::copy(used.begin() + 1, used.end(),
              std::back_inserter(modules.helpers));
  }
  modules.answers = best_answers(all);
  return modules;
}

std::vector<std::string> module_remarks(
    const Callable& chosen, const std::string& task,
    const std::vector<Callable>& callables) {
  Classes helpers;
  Classes containers;
  const Classes used = all_called_by(chosen, callables);
  for (const Callable& other : callables) {
    if (&other == &chosen || other.name == chosen.name) {
      continue;
    }
    if (contains(used, other)) {
      // A softmax of its own is not worth a word.
      if (other.module || has_any(normalise(other.name), attention_words)) {
        helpers.push_back(&other);
      }
    } else if (other.is_class &&
               contains(all_called_by(other, callables), chosen)) {
      containers.push_back(&other);
    }
  }
  std::vector<std::string> remarks = {
      "graded as " + task + ": " + kind_text(chosen) +
      clause(helpers, " is a helper of it", " are helpers of it") +
      clause(containers, " contains it", " contain it")};
  std::ranges::copy(chosen.module->remarks, std::back_inserter(remarks));
  return remarks;
}

std::vector<std::string> ungraded_users(const Callable& callable,
                                        const std::vector<Callable>& callables,
                                        const std::vector<Task>& tasks) {
  std::vector<std::string> remarks;
  for (const Callable& other : callables) {
    if (other.module && !other.module->problem.empty() &&
        says_attention(other, tasks) && !is_other_part(other) &&
        contains(all_called_by(other, callables), callable)) {
      remarks.push_back(located(other) + ", which uses it, is not graded: " +
                        one_line(other.module->problem, 200));
    }
  }
  return remarks;
}

Matching explain_module(const Callable& callable,
                        const std::vector<Task>& tasks) {
  const ModuleStudy& study = *callable.module;
  if (study.problem.empty()) {
    return answers_none(callable, tasks);
  }
  if (study.problem_kind == "constructor") {
    return LoadFailure{"constructor",
                       located(callable) + " cannot be made: " + study.problem};
  }
  const bool is_for_adapter = study.problem_kind == "unsupported";
  CannotGrade reason{
      study.problem_kind,
      kind_text(callable) + ": " + study.problem +
          (is_for_adapter ? ". An adapter can call it (docs/adapters.md)"
                          : "")};
  if (study.kind) {
    const bool is_causal = says(normalise(callable.name), "causal");
    reason.task = (is_causal ? "causal_" : "") + to_string(*study.kind);
    reason.entry = callable.name;
  }
  return reason;
}

Matching explain_modules(const ModuleQuestion& question) {
  Classes unclear;
  for (const Callable& callable : question.callables) {
    if (is_gradable_module(callable) &&
        !answers_of(callable, question).empty()) {
      unclear.push_back(&callable);
    }
  }
  if (!unclear.empty()) {
    return unclear_modules(unclear);
  }
  const Callable* callable = most_likely(question);
  return callable == nullptr ? Matching(std::vector<Match>())
                             : explain_module(*callable, question.tasks);
}

}  // namespace grader
