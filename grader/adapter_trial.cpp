// SPDX-License-Identifier: MIT
#include "grader/adapter_trial.hpp"

#include <utility>

#include "grader/diagnosis/mishap.hpp"
#include "grader/loader/shorten.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"
#include "grader/worker/worker.hpp"

namespace grader {
namespace {

[[noreturn]] void refuse_adapter(const AdapterFile& file, std::string cause) {
  cause.erase(cause.find_last_not_of('\n') + 1);
  throw Error(Blame::usage,
              "cannot use the adapter " + file.path.string() + ": " + cause);
}

// Why nothing came of loading it, for people.
struct Obstacle {
  std::string operator()(const Description&) const { return ""; }
  std::string operator()(const LoadFailure& failure) const {
    return failure.detail;
  }
  std::string operator()(const CannotGrade& reason) const {
    return reason.detail;
  }
  std::string operator()(const Outcome& outcome) const {
    const auto mishap = judge_outcome(outcome, "load");
    return mishap ? "loading it " + mishap->summary : "";
  }
};

std::string with_interpreter(std::string cause, const Program& program) {
  if (cause.find("No module named") != std::string::npos) {
    cause += "\n    run by " + to_string(*program.interpreter) +
             "; --python names another";
  }
  return cause;
}

void demand_answers(const AdapterFile& file, const Description& description,
                    const LoaderContext& context) {
  const Matching matching =
      match_tasks(description, context.tasks, Language::python, context.match);
  if (const auto* failure = std::get_if<LoadFailure>(&matching)) {
    refuse_adapter(file, failure->detail);
  }
  if (const auto* reason = std::get_if<CannotGrade>(&matching)) {
    refuse_adapter(file, reason->detail);
  }
}

}  // namespace

std::shared_ptr<const Adapter> try_adapter(const std::vector<Task>& tasks,
                                           const LoaderContext& context) {
  const auto file = adapter_of(tasks, context.match.task);
  if (!file || context.interpreters->choose({}) == nullptr) {
    return nullptr;
  }
  const Program program = adapter_alone(*file, context);
  const LoadOutcome loaded = start_worker(program, Limits{})->load();
  const auto* description = std::get_if<Description>(&loaded.result);
  if (description == nullptr) {
    const std::string cause =
        without_staging(std::visit(Obstacle{}, loaded.result), program);
    refuse_adapter(*file, with_interpreter(cause, program));
  }
  demand_answers(*file, *description, context);
  Adapter adapter = *program.adapter;
  adapter.callables = description->callables;
  adapter.asks_for = description->asks_for;
  return std::make_shared<const Adapter>(std::move(adapter));
}

}  // namespace grader
