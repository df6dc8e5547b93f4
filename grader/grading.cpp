// SPDX-License-Identifier: MIT
#include "grader/grading.hpp"

#include <algorithm>
#include <utility>

#include "grader/conduct.hpp"
#include "grader/diagnosis/conduct_diagnosis.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/mishap.hpp"
#include "grader/diagnosis/score.hpp"
#include "grader/example/shrink.hpp"
#include "grader/known_right.hpp"
#include "grader/loader/judge.hpp"
#include "grader/loader/shorten.hpp"
#include "grader/report/exhibit.hpp"
#include "grader/submission/read_submission.hpp"
#include "grader/system/error.hpp"

namespace grader {
namespace {

// The first line says it, unless it only announces: a traceback ends with the
// exception, a compiler's message begins on the second line.
std::string telling_line(const std::string& text) {
  std::string first = text.substr(0, text.find('\n'));
  if (first.starts_with("Traceback")) {
    const std::size_t end = text.find_last_not_of('\n');
    return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
  }
  if (first.ends_with(":") && first.size() < text.size()) {
    const std::size_t start = first.size() + 1;
    return first + " " + text.substr(start, text.find('\n', start) - start);
  }
  return first;
}

Record with_cause(Record record, Verdict verdict, Cause cause) {
  record.verdict = verdict;
  record.summary = telling_line(cause.detail);
  record.cause = std::move(cause);
  return record;
}

Cause simple_cause(const std::string& kind, const std::string& detail,
                   const std::string& phase) {
  return {.kind = kind,
          .detail = detail,
          .phase = phase,
          .limit = "",
          .option = ""};
}

Verdict verdict_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::unsupported:
      return Verdict::not_graded;
    case ProblemKind::rejected:
      return Verdict::rejected;
    case ProblemKind::unreadable:
    case ProblemKind::empty:
      return Verdict::load_error;
  }
  return Verdict::not_graded;
}

// Turns what stopped a submission before its first call into its one record.
struct Stopped {
  Record blank;
  std::string phase;

  std::vector<Record> operator()(const LoadFailure& failure) const {
    return {with_cause(blank, Verdict::load_error,
                       simple_cause(failure.kind, failure.detail, phase))};
  }
  std::vector<Record> operator()(const CannotGrade& reason) const {
    return {with_cause(blank, Verdict::not_graded,
                       simple_cause(reason.kind, reason.detail, phase))};
  }
  std::vector<Record> operator()(const Outcome& outcome) const {
    const auto mishap = judge_outcome(outcome, phase);
    Record record = blank;
    record.verdict = mishap ? mishap->verdict : Verdict::not_graded;
    record.summary = mishap ? mishap->summary : "";
    record.cause = mishap ? mishap->cause : Cause{};
    return {record};
  }
};

void copy_output(const Worker& worker, const Program& program, Record& record) {
  CapturedOutput output = worker.output();
  if (record.cause) {
    record.cause->detail = without_staging(record.cause->detail, program);
    record.summary = without_staging(record.summary, program);
  }
  record.standard_output = std::move(output.standard_output);
  record.standard_error = std::move(output.standard_error);
  record.seconds = worker.cpu_seconds();
}

DType interface_precision(const Match& match) {
  return match.is_float32 ? DType::float32 : DType::float64;
}

bool accuses(const Record& record) {
  return record.verdict != Verdict::correct &&
         record.verdict != Verdict::not_graded;
}

Submission known_right_submission() {
  Submission submission;
  submission.path = "known_right.py";
  submission.file = "known_right.py";
  submission.form = Form::python;
  submission.files = {{"known_right.py", std::string(known_right_source())}};
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

Grading::Grading(TaskBook& tasks, LoaderContext loader, MatchOptions match,
                 Limits limits)
    : tasks_(tasks),
      loader_(std::move(loader)),
      match_(std::move(match)),
      limits_(limits) {}

std::vector<Record> Grading::grade(Submission submission) {
  if (submission.form != Form::command) {
    read_submission(submission);
  }
  Record blank;
  blank.file = submission.file;
  blank.sha256 = submission.sha256;
  if (submission.problem) {
    return {with_cause(blank, verdict_of(submission.problem->kind),
                       simple_cause(to_string(submission.problem->kind),
                                    submission.problem->detail, "stage"))};
  }
  const Preparation preparation = prepare(submission, loader_);
  if (const auto* program = std::get_if<Program>(&preparation)) {
    return grade_program(*program, blank);
  }
  const Stopped stopped{blank, "compile"};
  if (const auto* failure = std::get_if<LoadFailure>(&preparation)) {
    return stopped(*failure);
  }
  return stopped(std::get<CannotGrade>(preparation));
}

std::vector<Record> Grading::grade_program(const Program& program,
                                           const Record& blank) {
  const Stopped stopped{blank, "load"};
  std::unique_ptr<Worker> worker = start_worker(program, limits_);
  LoadOutcome loaded = worker->load();
  auto* description = std::get_if<Description>(&loaded.result);
  if (description == nullptr) {
    std::vector<Record> records;
    if (const auto* failure = std::get_if<LoadFailure>(&loaded.result)) {
      records = std::visit(stopped, judge_load_failure(*failure, tasks_.tasks(),
                                                       loader_.interpreters));
    } else if (const auto* reason = std::get_if<CannotGrade>(&loaded.result)) {
      records = stopped(*reason);
    } else {
      records = stopped(std::get<Outcome>(loaded.result));
    }
    copy_output(*worker, program, records.front());
    return records;
  }
  add_symbols(*description, program.symbols);
  const Matching matching =
      match_tasks(*description, tasks_.tasks(), program.language, match_);
  if (const auto* failure = std::get_if<LoadFailure>(&matching)) {
    return stopped(*failure);
  }
  if (const auto* reason = std::get_if<CannotGrade>(&matching)) {
    return stopped(*reason);
  }
  std::vector<Record> records;
  Record run_by = blank;
  if (program.language == Language::python) {
    run_by.interpreter = to_string(*usable_interpreter(loader_.interpreters));
  }
  Limits remaining = limits_;
  for (const Match& match : std::get<std::vector<Match>>(matching)) {
    if (!worker) {
      // A task starts in a fresh process: nothing is left of the one before.
      worker = start_worker(program, remaining);
      worker->load();
    }
    records.push_back(grade_match(*worker, program, match, run_by));
    // What the search for an example took is not the submission's.
    remaining.cpu -= std::chrono::duration<double>(records.back().seconds);
    worker.reset();
  }
  return records;
}

Record Grading::grade_match(Worker& worker, const Program& program,
                            const Match& match, const Record& blank) {
  const DType precision = interface_precision(match);
  const CaseSet& set = tasks_.cases(match.task, precision);
  Record record = blank;
  record.task = match.task;
  record.entry = match.callable.name;
  if (set.cases.empty()) {
    return with_cause(
        record, Verdict::not_graded,
        simple_cause("unsupported",
                     "no case of the task has one of the ranks that --ranks "
                     "asks for",
                     "load"));
  }
  const Observations observations = observe(worker, match, set.cases);
  static_cast<Diagnosis&>(record) =
      diagnose(observations, set.prepared, precision);
  const auto afresh = [&] { return start_worker(program, limits_); };
  if (const auto fault =
          find_conduct_fault(afresh, match, observations, record, precision)) {
    static_cast<Diagnosis&>(record) = with_conduct_fault(record, *fault);
  }
  set_score(tasks_.rubric(match.task), record);
  record.exhibit = make_exhibit(observations, record);
  copy_output(worker, program, record);
  if (program.language == Language::python && accuses(record)) {
    if (const auto doubt = doubt_interpreter(match.task)) {
      return with_cause(blank, Verdict::not_graded,
                        simple_cause("environment", *doubt, "load"));
    }
  }
  record.smallest_example =
      find_smallest_example(worker, match, observations, record);
  return record;
}

// Accusing anyone needs a witness: in the same interpreter, a function known to
// be right passes. Asked once a task, and only when there is an accusation.
std::optional<std::string> Grading::doubt_interpreter(const std::string& task) {
  const std::scoped_lock lock(mutex_);
  const auto known = doubts_.find(task);
  const std::string doubt = known != doubts_.end()
                                ? known->second
                                : doubts_[task] = try_known_right(task);
  return doubt.empty() ? std::nullopt : std::optional<std::string>(doubt);
}

std::string Grading::try_known_right(const std::string& task) {
  const std::string start =
      "the interpreter gets a function that is known to be right wrong (task " +
      task + "): ";
  const Preparation preparation = prepare(known_right_submission(), loader_);
  const auto* program = std::get_if<Program>(&preparation);
  if (program == nullptr) {
    return start + "it could not be prepared";
  }
  const std::unique_ptr<Worker> worker = start_worker(*program, Limits{});
  const LoadOutcome loaded = worker->load();
  const auto* description = std::get_if<Description>(&loaded.result);
  if (description == nullptr) {
    return start + "it could not be loaded";
  }
  const auto asked = std::ranges::find(tasks_.tasks(), task, &Task::name);
  const Matching matching =
      match_tasks(*description, tasks_.tasks(), Language::python,
                  {.entry = known_right_name(*asked), .task = task});
  const auto* matches = std::get_if<std::vector<Match>>(&matching);
  const Match* match =
      matches == nullptr ? nullptr : find_match(*matches, task);
  if (match == nullptr) {
    return start + "it was not found";
  }
  const CaseSet& set = tasks_.cases(task, DType::float64);
  const Diagnosis diagnosis = diagnose(observe(*worker, *match, set.cases),
                                       set.prepared, DType::float64);
  return diagnosis.verdict == Verdict::correct ? "" : start + diagnosis.summary;
}

}  // namespace grader
