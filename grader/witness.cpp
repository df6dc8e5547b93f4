// SPDX-License-Identifier: MIT
#include "grader/witness.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/known_right.hpp"
#include "grader/loader/prepare.hpp"
#include "grader/worker/worker.hpp"

namespace grader {
namespace {

Submission known_right_submission(Framework framework) {
  const std::string module =
      framework == Framework::jax ? "jax.numpy" : to_string(framework);
  Submission submission;
  submission.path = "known_right.py";
  submission.file = "known_right.py";
  submission.form = Form::python;
  submission.files = {
      {"known_right.py",
       "import " + module + " as xp\n" + std::string(known_right_source())}};
  return submission;
}

// The name that known_right.py has for a task, whatever the task is called.
std::string known_right_name(const Task& task) {
  const std::string mode =
      task.mask_mode == MaskMode::none ? "" : to_string(task.mask_mode) + "_";
  return mode + to_string(task.kind);
}

const Match* find_match(const std::vector<Match>& matches,
                        const std::string& task) {
  const auto found = std::ranges::find(matches, task, &Match::task);
  return found == matches.end() ? nullptr : &*found;
}

}  // namespace

Witness::Witness(TaskBook& tasks, LoaderContext loader)
    : tasks_(tasks), loader_(std::move(loader)) {
  loader_.match = {};  // options and adapters are for submissions
  loader_.adapter.reset();
}

std::optional<std::string> Witness::doubt(const Program& program,
                                          const Match& match) {
  const std::scoped_lock lock(mutex_);
  const std::string key = program.argv.front() + "\n" +
                          to_string(match.framework) + "\n" +
                          to_string(match.precision) + "\n" + match.task;
  const auto known = doubts_.find(key);
  const std::string doubt =
      known != doubts_.end() ? known->second
                             : doubts_[key] = try_known_right(program, match);
  return doubt.empty() ? std::nullopt : std::optional<std::string>(doubt);
}

std::string Witness::try_known_right(const Program& program,
                                     const Match& match) {
  const std::string start =
      "the interpreter gets a function that is known to be right wrong (task " +
      match.task + ", " + to_string(match.framework) + "): ";
  const Preparation preparation =
      prepare(known_right_submission(match.framework), loader_);
  const auto* prepared = std::get_if<Program>(&preparation);
  if (prepared == nullptr) {
    return start + "it could not be prepared";
  }
  Program known_right = *prepared;
  known_right.argv.front() = program.argv.front();
  known_right.server = program.server;
  known_right.waiting.reset();  // which may be a copy of another
  const std::unique_ptr<Worker> worker = start_worker(known_right, Limits{});
  const LoadOutcome loaded = worker->load();
  const auto* description = std::get_if<Description>(&loaded.result);
  if (description == nullptr) {
    return start + "it could not be loaded";
  }
  const auto asked = std::ranges::find(tasks_.tasks(), match.task, &Task::name);
  const Matching matching =
      match_tasks(*description, tasks_.tasks(), Language::python,
                  {.entry = known_right_name(*asked),
                   .task = match.task,
                   .dtype = match.precision,
                   .framework = match.framework});
  const auto* matches = std::get_if<std::vector<Match>>(&matching);
  const Match* found =
      matches == nullptr ? nullptr : find_match(*matches, match.task);
  if (found == nullptr) {
    return start + "it was not found";
  }
  const CaseSet& set = tasks_.cases(match.task, found->precision);
  const Diagnosis diagnosis = diagnose(observe(*worker, *found, set.cases),
                                       set.prepared, found->precision);
  return diagnosis.verdict == Verdict::correct ? "" : start + diagnosis.summary;
}

}  // namespace grader
