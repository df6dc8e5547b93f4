// SPDX-License-Identifier: MIT
#include "grader/grading.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/conduct.hpp"
#include "grader/diagnosis/conduct_diagnosis.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/mishap.hpp"
#include "grader/diagnosis/score.hpp"
#include "grader/example/shrink.hpp"
#include "grader/known_right.hpp"
#include "grader/loader/extra_parameters.hpp"
#include "grader/loader/judge.hpp"
#include "grader/loader/shorten.hpp"
#include "grader/report/exhibit.hpp"
#include "grader/submission/read_submission.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

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

std::string tensors_text(const Match& match) {
  const bool is_numpy = match.framework == Framework::numpy;
  std::string text = to_string(match.framework) +
                     (is_numpy ? " arrays" : " tensors") + " of " +
                     to_string(match.precision);
  for (const FilledParameter& parameter : match.filled) {
    text += "; " + one_line(parameter.name, 60) + " = " +
            width_text(parameter.width);
  }
  return text;
}

// Why inputs of the type that was asked for cannot be passed, or "".
std::string precision_problem(const Match& match, Language language) {
  const std::string start = "--dtype " + to_string(match.precision) + ": ";
  if (language == Language::native) {
    const DType own = match.is_float32 ? DType::float32 : DType::float64;
    return match.precision == own
               ? ""
               : start + "the function `" + match.callable.name + "` takes " +
                     to_string(own);
  }
  return match.framework == Framework::numpy &&
                 match.precision == DType::bfloat16
             ? start + "numpy has no such type"
             : "";
}

bool accuses(const Record& record) {
  return record.verdict != Verdict::correct &&
         record.verdict != Verdict::not_graded;
}

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

bool returned_anything(const Observations& observations) {
  return std::ranges::any_of(
      observations.cases, [](const CaseObservation& observation) {
        return std::holds_alternative<Returned>(observation.outcome);
      });
}

// A module that was missing all along, and is touched by the function only: the
// failure that importing the file would have been.
std::optional<LoadFailure> late_import_failure(
    const Observations& observations) {
  const Raised* first = nullptr;
  for (const CaseObservation& observation : observations.cases) {
    const auto* raised = std::get_if<Raised>(&observation.outcome);
    if (raised == nullptr || raised->type != "ModuleNotFoundError") {
      return std::nullopt;
    }
    first = first == nullptr ? raised : first;
  }
  if (first == nullptr) {
    return std::nullopt;
  }
  return LoadFailure{"import", first->message + "\n" + first->traceback};
}

// One file of a larger submission, typed alone or found in a collection, cannot
// import the others: nothing but itself is in its folder.
std::string folder_advice(const Cause& cause, const Submission& submission) {
  const std::string neighbour =
      missed_neighbour({cause.kind, cause.detail}, submission.path);
  if (neighbour.empty()) {
    return "";
  }
  const std::string folder = submission.typed.parent_path().string();
  return "; " + neighbour +
         " lies beside it. Grade the folder as one submission: --as-one " +
         one_line(folder.empty() ? "." : folder);
}

std::vector<Record> with_advice(std::vector<Record> records,
                                const Submission& submission) {
  if (submission.form != Form::python && submission.form != Form::notebook) {
    return records;
  }
  for (Record& record : records) {
    if (record.verdict == Verdict::load_error && record.cause) {
      const std::string advice = folder_advice(*record.cause, submission);
      std::string& detail = record.cause->detail;
      detail.insert(std::min(detail.find('\n'), detail.size()), advice);
      record.summary += advice;
    }
  }
  return records;
}

// Every call came back, with a result or an exception.
bool always_answered(const Observations& observations) {
  return std::ranges::all_of(
      observations.cases, [](const CaseObservation& observation) {
        return std::holds_alternative<Returned>(observation.outcome) ||
               std::holds_alternative<Raised>(observation.outcome);
      });
}

bool may_have_tokens_first(const Observations& observations,
                           const Diagnosis& diagnosis) {
  const Kind kind = observations.cases.front().test_case->kind;
  const bool has_only_four_axes =
      (kind == Kind::attention || kind == Kind::grouped_query_attention) &&
      std::ranges::all_of(diagnosis.ranks, [](int rank) { return rank == 4; });
  switch (diagnosis.verdict) {
    case Verdict::faulty:
      return has_only_four_axes &&
             std::ranges::count(diagnosis.faults, "tokens-heads-swapped") > 0;
    case Verdict::unclassified:
    case Verdict::bad_output:
      return has_only_four_axes;
    case Verdict::crashed:
      return has_only_four_axes && always_answered(observations);
    default:
      return false;
  }
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
    return with_advice(grade_program(*program, blank), submission);
  }
  if (const auto* failure = std::get_if<LoadFailure>(&preparation)) {
    const bool is_compiler = failure->kind == "compile";
    return Stopped{blank, is_compiler ? "compile" : "load"}(*failure);
  }
  return Stopped{blank, "load"}(std::get<CannotGrade>(preparation));
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
      records = std::visit(stopped, judge(*failure, program));
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
  run_by.remarks = description->remarks;
  if (program.interpreter != nullptr) {
    run_by.interpreter = to_string(*program.interpreter);
  }
  Limits remaining = limits_;
  for (const Match& match : std::get<std::vector<Match>>(matching)) {
    if (!worker) {
      // A task starts in a fresh process: nothing is left of the one before.
      worker = start_worker(program, remaining);
      worker->load();
    }
    records.push_back(grade_match(*worker, program, match, run_by));
    if (!records.back().task) {  // it could not be loaded after all
      return {records.back()};
    }
    // What the search for an example took is not the submission's.
    remaining.cpu -= std::chrono::duration<double>(records.back().seconds);
    worker.reset();
  }
  return records;
}

Record Grading::grade_match(Worker& worker, const Program& program,
                            const Match& match, const Record& blank) {
  const DType precision = match.precision;
  const CaseSet& set = tasks_.cases(match.task, precision);
  Record record = blank;
  record.task = match.task;
  record.entry = match.callable.name;
  record.called_with =
      program.interpreter == nullptr ? "" : tensors_text(match);
  if (set.cases.empty()) {
    return with_cause(
        record, Verdict::not_graded,
        simple_cause("unsupported",
                     "no case of the task has one of the ranks that --ranks "
                     "asks for",
                     "load"));
  }
  const std::string problem = precision_problem(match, program.language);
  if (!problem.empty()) {
    return with_cause(record, Verdict::not_graded,
                      simple_cause("unsupported", problem, "load"));
  }
  const Observations observations = observe(worker, match, set.cases);
  if (!returned_anything(observations)) {
    if (const auto failure = late_import_failure(observations)) {
      Record failed =
          std::visit(Stopped{blank, "load"}, judge(*failure, program)).front();
      copy_output(worker, program, failed);
      return failed;
    }
    if (const auto other = with_numpy_arrays(program, match)) {
      record.remarks.push_back("called with numpy arrays: on tensors of " +
                               to_string(match.framework) +
                               " every call raised an exception");
      const auto fresh = start_worker(program, limits_);
      fresh->load();
      return grade_match(*fresh, program, *other, record);
    }
  }
  std::ranges::copy(observations.conventions,
                    std::back_inserter(record.remarks));
  static_cast<Diagnosis&>(record) =
      diagnose(observations, set.prepared, precision);
  if (program.language == Language::python && !match.tokens_first &&
      may_have_tokens_first(observations, record)) {
    if (const auto other = with_tokens_before_heads(program, match, blank)) {
      return *other;
    }
  }
  const auto afresh = [&] { return start_worker(program, limits_); };
  if (const auto fault =
          find_conduct_fault(afresh, match, observations, record, precision)) {
    static_cast<Diagnosis&>(record) = with_conduct_fault(record, *fault);
  }
  set_score(tasks_.rubric(match.task), record);
  record.exhibit = make_exhibit(observations, record);
  copy_output(worker, program, record);
  if (program.language == Language::python && accuses(record)) {
    if (const auto doubt = doubt_interpreter(program, match)) {
      return with_cause(blank, Verdict::not_graded,
                        simple_cause("environment", *doubt, "load"));
    }
  }
  record.smallest_example =
      find_smallest_example(worker, match, observations, record);
  return record;
}

std::variant<LoadFailure, CannotGrade> Grading::judge(
    const LoadFailure& failure, const Program& program) {
  const bool is_python = loader_.interpreters != nullptr;
  return judge_load_failure(failure, tasks_.tasks(), program.interpreter,
                            is_python && failure.kind == "import"
                                ? loader_.interpreters->all()
                                : std::vector<InterpreterPtr>());
}

// The file imports torch or JAX, the function wants numpy arrays: where some
// call with them returns, the match for that.
std::optional<Match> Grading::with_numpy_arrays(const Program& program,
                                                const Match& match) {
  if (match.framework == Framework::numpy || match_.framework) {
    return std::nullopt;
  }
  Match other = match;
  other.framework = Framework::numpy;
  other.precision = match_.dtype.value_or(DType::float64);
  const auto worker = start_worker(program, limits_);
  worker->load();
  const auto& cases = tasks_.cases(match.task, other.precision).cases;
  const bool returns = std::ranges::any_of(cases, [&](const Case& one) {
    return std::holds_alternative<Returned>(
        worker->call(other, make_call(one)));
  });
  return returns ? std::optional(other) : std::nullopt;
}

// A function of (B, n, H, d) attends, on (B, H, n, d), over the heads; its own
// layout is as good as the task's. Only where it takes nothing but four axes,
// and only if it is then right, or wrong in an explained way without that.
std::optional<Record> Grading::with_tokens_before_heads(const Program& program,
                                                        const Match& match,
                                                        const Record& blank) {
  Match other = match;
  other.tokens_first = true;
  Record afresh = blank;
  afresh.remarks.push_back(
      "takes and returns (B, n, H, d), the tokens before the heads");
  const auto worker = start_worker(program, limits_);
  worker->load();
  Record regraded = grade_match(*worker, program, other, afresh);
  const bool explains = regraded.verdict == Verdict::correct ||
                        regraded.verdict == Verdict::faulty;
  return explains ? std::optional(std::move(regraded)) : std::nullopt;
}

// Accusing anyone needs a witness: in the same interpreter, a function known to
// be right passes. Asked once, and only when there is an accusation.
std::optional<std::string> Grading::doubt_interpreter(const Program& program,
                                                      const Match& match) {
  const std::scoped_lock lock(mutex_);
  const std::string key = program.argv.front() + "\n" +
                          to_string(match.framework) + "\n" + match.task;
  const auto known = doubts_.find(key);
  const std::string doubt =
      known != doubts_.end() ? known->second
                             : doubts_[key] = try_known_right(program, match);
  return doubt.empty() ? std::nullopt : std::optional<std::string>(doubt);
}

std::string Grading::try_known_right(const Program& program,
                                     const Match& match) {
  const std::string start =
      "the interpreter gets a function that is known to be right wrong (task " +
      match.task + ", " + to_string(match.framework) + "): ";
  LoaderContext loader = loader_;
  loader.match = {};
  const Preparation preparation =
      prepare(known_right_submission(match.framework), loader);
  const auto* prepared = std::get_if<Program>(&preparation);
  if (prepared == nullptr) {
    return start + "it could not be prepared";
  }
  Program known_right = *prepared;
  known_right.argv.front() = program.argv.front();
  const std::unique_ptr<Worker> worker = start_worker(known_right, Limits{});
  const LoadOutcome loaded = worker->load();
  const auto* description = std::get_if<Description>(&loaded.result);
  if (description == nullptr) {
    return start + "it could not be loaded";
  }
  const auto asked = std::ranges::find(tasks_.tasks(), match.task, &Task::name);
  const Matching matching =
      match_tasks(*description, tasks_.tasks(), Language::python,
                  {.entry = known_right_name(*asked), .task = match.task});
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
