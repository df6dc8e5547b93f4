// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "grader/loader/call_graph.hpp"
#include "grader/loader/extra_parameters.hpp"
#include "grader/loader/judge.hpp"
#include "grader/loader/match_message.hpp"
#include "grader/loader/match_modules.hpp"
#include "grader/loader/match_native.hpp"
#include "grader/loader/program.hpp"
#include "grader/loader/signature.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

struct Proposal {
  const Callable* callable = nullptr;
  const Task* task = nullptr;
  NameRank rank = NameRank::none;
  Fit fit;  // of a module nothing: the host calls it
  bool is_module = false;
};

using Proposals = std::vector<Proposal>;

bool is_private(const Callable& callable) {
  return callable.name.starts_with('_');
}

bool names_all(const Fit& fit, const Task& task) {
  return fit.recognised == static_cast<int>(task.arguments.size());
}

// What the class is made with, or nothing where that cannot be said.
std::optional<std::vector<FilledParameter>> constructor_of(
    const Callable& callable, Kind kind, MaskMode mask_mode) {
  if (callable.problem.empty()) {
    return fill_constructor(callable, kind, mask_mode);
  }
  // With projections of its own a class would have weights to be given.
  return callable.constructor.empty() || is_projected(kind)
             ? std::nullopt
             : fill_constructor(callable, kind, mask_mode);
}

bool can_be_made(const Callable& callable) {
  return constructor_of(callable, Kind::attention, MaskMode::none).has_value();
}

// An adorned name counts only with arguments of known names. With --entry the
// name need not propose anything.
Proposals proposals_of(const Callable& callable, const std::vector<Task>& tasks,
                       bool is_entry) {
  Proposals found;
  for (const Task& task : tasks) {
    const NameRank rank = propose(callable.name, task);
    if (rank == NameRank::none && !is_entry) {
      continue;
    }
    auto fit = constructor_of(callable, task.kind, task.mask_mode)
                   ? fit_signature(callable, task)
                   : std::nullopt;
    if (fit && (rank != NameRank::adorned || names_all(*fit, task))) {
      found.push_back({&callable, &task, rank, std::move(*fit)});
    }
  }
  return found;
}

// An optional mask makes one function answer two tasks. Anything else that fits
// as well is another reading of the same function.
bool may_stand_together(const Task& a, const Task& b) {
  return a.kind == b.kind &&
         (a.mask_mode == MaskMode::causal) == (b.mask_mode == MaskMode::causal);
}

// Does reading `a` beat reading `b`: more arguments known by name, then the
// better name of the function.
bool is_better(const Proposal& a, const Proposal& b) {
  return a.fit.recognised != b.fit.recognised
             ? a.fit.recognised > b.fit.recognised
             : a.rank > b.rank;
}

// The name proposes, the signature decides: self_attention(q, k, v) is an
// `attention`, self_attention(x, w_q, w_k, w_v) no `masked_attention`.
Proposals best_reading(const Proposals& proposals) {
  Proposals kept;
  for (const Proposal& proposal : proposals) {
    const bool is_beaten =
        std::ranges::any_of(proposals, [&](const Proposal& other) {
          return !may_stand_together(*proposal.task, *other.task) &&
                 is_better(other, proposal);
        });
    if (!is_beaten) {
      kept.push_back(proposal);
    }
  }
  return kept;
}

std::optional<LoadFailure> find_ambiguity(const Proposals& readings) {
  const bool is_clear =
      std::ranges::all_of(readings, [&](const Proposal& reading) {
        return may_stand_together(*reading.task, *readings.front().task);
      });
  if (is_clear) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const Proposal& reading : readings) {
    names.push_back(reading.task->name);
  }
  return several_tasks(*readings.front().callable, names);
}

// Those of the best name, without the helpers of the others.
Proposals best_functions(const Proposals& proposals) {
  const NameRank best =
      std::ranges::max_element(proposals, {}, &Proposal::rank)->rank;
  Proposals named;
  std::ranges::copy_if(
      proposals, std::back_inserter(named),
      [&](const Proposal& proposal) { return proposal.rank == best; });
  Proposals kept;
  std::ranges::copy_if(
      named, std::back_inserter(kept), [&](const Proposal& proposal) {
        return std::ranges::none_of(named, [&](const Proposal& other) {
          return calls(*other.callable, *proposal.callable) ||
                 is_derived(*other.callable, *proposal.callable);
        });
      });
  return kept.empty() ? named : kept;
}

Match function_match(const Proposal& proposal) {
  const Task& task = *proposal.task;
  Match match;
  match.task = task.name;
  match.callable = *proposal.callable;
  match.keywords = proposal.fit.keywords;
  match.filled = proposal.fit.filled;
  match.constructor = constructor_of(match.callable, task.kind, task.mask_mode)
                          .value_or(std::vector<FilledParameter>());
  return match;
}

Match module_match(const Proposal& proposal,
                   const std::vector<Callable>& callables) {
  Match match;
  match.task = proposal.task->name;
  match.callable = *proposal.callable;
  match.module = ModuleReading();
  match.remarks = module_remarks(*proposal.callable, match.task, callables);
  return match;
}

Matching settle(const Proposals& proposals, const std::vector<Task>& tasks,
                const std::vector<Callable>& callables) {
  std::vector<Match> matches;
  for (const Task& task : tasks) {
    Proposals rivals;
    std::ranges::copy_if(
        proposals, std::back_inserter(rivals),
        [&](const Proposal& proposal) { return proposal.task == &task; });
    if (rivals.empty()) {
      continue;
    }
    rivals = best_functions(rivals);
    if (rivals.size() > 1) {
      std::vector<Callable> equals;
      for (const Proposal& rival : rivals) {
        equals.push_back(*rival.callable);
      }
      return several_functions(task.name, equals);
    }
    matches.push_back(rivals.front().is_module
                          ? module_match(rivals.front(), callables)
                          : function_match(rivals.front()));
  }
  return matches;
}

// The public functions, whatever their names, that may be what `adorned` is
// compared with: they take the tensors of a task, and it does not call them,
// nor are they modules that use it. `proposals` are settled otherwise.
std::vector<Callable> rivals_of(const Proposal& adorned,
                                const std::vector<Callable>& callables,
                                const std::vector<Task>& tasks,
                                const Proposals& proposals) {
  const auto called = all_called_by(*adorned.callable, callables);
  std::vector<Callable> rivals;
  std::ranges::copy_if(
      callables, std::back_inserter(rivals), [&](const Callable& other) {
        const bool takes_tensors = std::ranges::any_of(
            tasks,
            [&](const Task& task) { return takes_tensors_of(other, task); });
        const bool is_user = other.is_class && calls(other, *adorned.callable);
        return takes_tensors && !is_user && !is_private(other) &&
               !other.name.starts_with("test") &&
               std::ranges::find(called, &other) == called.end() &&
               std::ranges::find(proposals, &other, &Proposal::callable) ==
                   proposals.end();
      });
  return rivals;
}

// `naive_attention` beside `solve(q, k, v)` may be an oracle for it: an adorned
// name counts where no such function is there.
std::optional<LoadFailure> drop_oracles(const std::vector<Callable>& callables,
                                        const std::vector<Task>& tasks,
                                        Proposals& proposals) {
  Proposals kept;
  std::optional<LoadFailure> failure;
  for (const Proposal& proposal : proposals) {
    const auto rivals = proposal.rank == NameRank::adorned
                            ? rivals_of(proposal, callables, tasks, proposals)
                            : std::vector<Callable>();
    if (rivals.empty()) {
      kept.push_back(proposal);
    } else if (!failure) {
      failure = unclear_function(*proposal.callable, rivals);
    }
  }
  proposals = std::move(kept);
  return proposals.empty() ? failure : std::nullopt;
}

Proposals as_proposals(const std::vector<ModuleAnswer>& answers) {
  Proposals proposals;
  for (const ModuleAnswer& answer : answers) {
    proposals.push_back({answer.callable, answer.task, answer.rank, {}, true});
  }
  return proposals;
}

// Only as a module, if it is one: its own matrices would make anything else of
// it wrong.
bool is_function(const Callable& callable) {
  return !is_gradable_module(callable) && can_be_made(callable);
}

using Readings = std::variant<Proposals, LoadFailure>;

// The functions whose name proposes a task, without the helpers of modules.
Readings read_functions(const ModuleQuestion& question, bool with_private,
                        const std::vector<const Callable*>& helpers) {
  Proposals all;
  for (const Callable& callable : question.callables) {
    if (!is_function(callable) || is_private(callable) != with_private ||
        std::ranges::find(helpers, &callable) != helpers.end()) {
      continue;
    }
    const Proposals readings =
        best_reading(proposals_of(callable, question.tasks, false));
    if (auto ambiguity = find_ambiguity(readings)) {
      return *ambiguity;
    }
    all.insert(all.end(), readings.begin(), readings.end());
  }
  if (auto failure = drop_oracles(question.callables, question.tasks, all)) {
    return *failure;
  }
  return all;
}

// The functions and modules whose name proposes a task, private ones apart. A
// name with a leading underscore marks a helper: it counts where nothing else
// is there. So does a module whose name says nothing.
Matching match_by_name(const ModuleQuestion& question, bool with_private) {
  Modules modules = find_modules(question, with_private);
  Readings readings = read_functions(question, with_private, modules.helpers);
  const auto* functions = std::get_if<Proposals>(&readings);
  const bool is_alone = functions != nullptr && functions->empty();
  if (modules.is_guess && !is_alone) {
    modules = {};
    readings = read_functions(question, with_private, {});
    functions = std::get_if<Proposals>(&readings);
  }
  if (functions == nullptr && modules.answers.empty()) {
    return std::get<LoadFailure>(readings);
  }
  Proposals all = as_proposals(modules.answers);
  if (functions != nullptr) {
    all.insert(all.end(), functions->begin(), functions->end());
  }
  return settle(all, question.tasks, question.callables);
}

bool proposes(const Callable& callable, const std::vector<Task>& tasks) {
  return std::ranges::any_of(tasks, [&](const Task& task) {
    return propose(callable.name, task) != NameRank::none;
  });
}

// Of a class that the host could not study: its words for a constructor that
// cannot be called without arguments.
bool needs_arguments(const Callable& callable) {
  return callable.problem.find("needs arguments") != std::string::npos;
}

// A class that is named for a task but cannot be made, or does not take the
// task's arguments, makes projections of its own.
bool looks_like_module(const Callable& callable,
                       const std::vector<Task>& tasks) {
  const bool is_named =
      proposes(callable, tasks) ||
      (needs_arguments(callable) &&
       normalise(callable.name).find("attention") != std::string::npos);
  return callable.is_class && is_named &&
         (callable.problem.empty() || needs_arguments(callable) ||
          callable.problem.find("matrices of its own") != std::string::npos);
}

Matching cannot_grade_module(const Callable& callable) {
  if (!callable.constructor.empty() && !callable.problem.empty()) {
    return cannot_be_made(callable);
  }
  return CannotGrade{
      "unsupported",
      located(callable) + " is a class that builds its own projections" +
          (callable.problem.empty() ? "" : " (" + callable.problem + ")") +
          ", and what they are could not be found out. Name another function "
          "with --entry, or let an adapter call it (docs/adapters.md)"};
}

LoadFailure unusable(const Callable& callable) {
  return {"constructor",
          located(callable) + " cannot be called: " + callable.problem};
}

Matching explain(const Callable& callable, const std::vector<Task>& tasks) {
  if (callable.module) {
    return explain_module(callable, tasks);
  }
  if (looks_like_module(callable, tasks)) {
    return cannot_grade_module(callable);
  }
  if (lacks_device(callable.problem)) {
    return CannotGrade{"environment",
                       located(callable) + " " + callable.problem};
  }
  if (lacks_provided_module(callable.problem, tasks)) {
    return CannotGrade{"environment",
                       located(callable) +
                           " cannot be called: " + callable.problem +
                           "; install it, or name an interpreter that has it "
                           "with --python"};
  }
  return callable.problem.empty() ? wrong_signature(callable, tasks)
                                  : unusable(callable);
}

const Callable* find_entry(const std::vector<Callable>& callables,
                           const std::string& entry) {
  const auto exact = std::ranges::find(callables, entry, &Callable::name);
  if (exact != callables.end()) {
    return &*exact;
  }
  const auto similar =
      std::ranges::find_if(callables, [&](const Callable& callable) {
        return normalise(callable.name) == normalise(entry);
      });
  return similar == callables.end() ? nullptr : &*similar;
}

Matching match_entry(const ModuleQuestion& question, const std::string& entry) {
  const auto& [callables, tasks, is_asked] = question;
  const Callable* callable = find_entry(callables, entry);
  if (callable == nullptr) {
    return unknown_entry(entry, callables);
  }
  if (is_gradable_module(*callable)) {
    const Proposals answers = as_proposals(answers_of(*callable, question));
    return answers.empty() ? explain_module(*callable, tasks)
                           : settle(answers, tasks, callables);
  }
  if (!can_be_made(*callable)) {
    return explain(*callable, tasks);
  }
  Proposals readings = proposals_of(*callable, tasks, false);
  if (readings.empty()) {
    readings = proposals_of(*callable, tasks, true);
  }
  readings = best_reading(readings);
  if (readings.empty()) {
    return explain(*callable, tasks);
  }
  if (auto ambiguity = find_ambiguity(readings)) {
    return *ambiguity;
  }
  return settle(readings, tasks, callables);
}

bool is_empty(const Matching& matching) {
  const auto* matches = std::get_if<std::vector<Match>>(&matching);
  return matches != nullptr && matches->empty();
}

Matching match_python(const ModuleQuestion& question) {
  for (const bool with_private : {false, true}) {
    Matching matching = match_by_name(question, with_private);
    if (!is_empty(matching)) {
      return matching;
    }
  }
  const auto& [callables, tasks, is_asked] = question;
  Matching why_no_module = explain_modules(question);
  if (!is_empty(why_no_module)) {
    return why_no_module;
  }
  for (const Callable& callable : callables) {
    if (looks_like_module(callable, tasks) || proposes(callable, tasks)) {
      return explain(callable, tasks);
    }
  }
  return no_function(callables, tasks, Language::python);
}

// A command has no functions: it does the task that the user says it does.
Matching match_command(const std::vector<Task>& tasks) {
  if (tasks.size() != 1) {
    return LoadFailure{"ambiguous",
                       "a command says nothing of what it does: name its task "
                       "with --task"};
  }
  Match match;
  match.task = tasks.front().name;
  match.callable.name = match.task;
  return std::vector<Match>{match};
}

Matching match_language(const Description& description,
                        const std::vector<Task>& tasks, Language language,
                        const MatchOptions& options) {
  switch (language) {
    case Language::native:
      return match_native(description, tasks, options);
    case Language::command:
      return match_command(tasks);
    case Language::python:
      break;
  }
  const ModuleQuestion question{description.callables, tasks,
                                !options.task.empty()};
  return options.entry.empty() ? match_python(question)
                               : match_entry(question, options.entry);
}

// A class is read by the convention that is fixed for it.
void settle_mask(const MatchOptions& options, const std::vector<Task>& tasks,
                 Match& match) {
  const auto task = std::ranges::find(tasks, match.task, &Task::name);
  match.mask_convention = options.mask_convention;
  if (task == tasks.end() || task->mask_mode != MaskMode::masked) {
    match.mask_convention.reset();
    return;
  }
  if (!match.mask_convention) {
    match.mask_convention = task->mask_convention;
  }
  if (match.mask_convention && match.module) {
    const bool is_added = *match.mask_convention == MaskConvention::additive;
    (*match.module)[is_added ? "mask_form" : "mask_convention"] =
        to_string(*match.mask_convention);
  }
}

void settle_tensors(const MatchOptions& options,
                    const DefaultDTypes& default_dtypes, Match& match) {
  match.framework = options.framework.value_or(match.callable.framework);
  match.default_dtypes = default_dtypes;
  match.precision = options.dtype.value_or(usual_precision(match));
}

}  // namespace

std::string to_string(Framework framework) {
  switch (framework) {
    case Framework::numpy:
      return "numpy";
    case Framework::torch:
      return "torch";
    case Framework::jax:
      return "jax";
  }
  return "";
}

std::optional<Framework> parse_framework(std::string_view name) {
  for (const Framework framework :
       {Framework::numpy, Framework::torch, Framework::jax}) {
    if (to_string(framework) == name) {
      return framework;
    }
  }
  return std::nullopt;
}

DType usual_precision(const Match& match) {
  if (match.framework == Framework::numpy) {
    return match.is_float32 ? DType::float32 : DType::float64;
  }
  const auto set = match.default_dtypes.find(match.framework);
  return set == match.default_dtypes.end() ? DType::float32 : set->second;
}

Matching match_tasks(const Description& description,
                     const std::vector<Task>& tasks, Language language,
                     const MatchOptions& options) {
  std::vector<Task> wanted;
  std::ranges::copy_if(
      tasks, std::back_inserter(wanted), [&](const Task& task) {
        return options.task.empty() || task.name == options.task;
      });
  Matching matching = match_language(description, wanted, language, options);
  if (auto* matches = std::get_if<std::vector<Match>>(&matching)) {
    for (Match& match : *matches) {
      settle_tensors(options, description.default_dtypes, match);
      settle_mask(options, wanted, match);
      if (!match.module) {
        std::ranges::copy(
            ungraded_users(match.callable, description.callables, wanted),
            std::back_inserter(match.remarks));
      }
    }
  }
  auto* failure = std::get_if<LoadFailure>(&matching);
  if (failure != nullptr && failure->kind == "no-function") {
    for (const std::string& hint : description.hints) {
      failure->detail += "\n    " + one_line(hint, 300);
    }
  }
  return matching;
}

}  // namespace grader
