// SPDX-License-Identifier: MIT
#include "grader/grading.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/class_reading.hpp"
#include "grader/conduct.hpp"
#include "grader/diagnosis/conduct_diagnosis.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/evidence.hpp"
#include "grader/diagnosis/score.hpp"
#include "grader/example/shrink.hpp"
#include "grader/library_calls.hpp"
#include "grader/loader/adapter.hpp"
#include "grader/loader/extra_parameters.hpp"
#include "grader/loader/judge.hpp"
#include "grader/loader/shorten.hpp"
#include "grader/report/exhibit.hpp"
#include "grader/stopped_record.hpp"
#include "grader/submission/read_submission.hpp"
#include "grader/submission/sha256.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

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

std::string arrays_text(Framework framework) {
  return to_string(framework) +
         (framework == Framework::numpy ? " arrays" : " tensors");
}

// Preloaded, that is: imported by some file of the submission, and there.
bool uses(const Program& program, Framework framework) {
  return framework == Framework::numpy ||
         std::ranges::count(program.argv, to_string(framework)) > 0;
}

std::string tensors_text(const Match& match) {
  std::string text =
      arrays_text(match.framework) + " of " + to_string(match.precision);
  for (const auto* parameters : {&match.constructor, &match.filled}) {
    for (const FilledParameter& parameter : *parameters) {
      text += "; " + one_line(parameter.name, 60) + " = " +
              filling_text(parameter.filling);
    }
  }
  if (match.module && !match.callable.module->filled.empty()) {
    text += "; " + match.callable.module->filled;
  }
  return text;
}

// Of one function that answers one task.
Record begun_record(Record record, const Program& program, const Match& match) {
  record.task = match.task;
  record.entry = match.callable.name;
  record.called_with =
      program.interpreter == nullptr ? "" : tensors_text(match);
  std::ranges::copy(match.remarks, std::back_inserter(record.remarks));
  if (match.module) {
    record.parameters = match.callable.module->parameters;
  }
  return record;
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

// Why the mask cannot be passed as is asked for, or "".
std::string mask_problem(const Match& match, Language language) {
  return language == Language::native &&
                 match.mask_convention == MaskConvention::additive
             ? "--mask-convention additive: a C function takes its mask as "
               "bytes"
             : "";
}

// Why nothing can be said of any answer to these cases, or "".
std::string obstacle(const CaseSet& set, const Match& match,
                     Language language) {
  if (set.cases.empty()) {
    return "no case of the task has one of the ranks that --ranks asks for";
  }
  const std::string mask = mask_problem(match, language);
  const std::string problem =
      mask.empty() ? precision_problem(match, language) : mask;
  const bool is_any_informative =
      std::ranges::any_of(set.prepared, [&](const PreparedCase& one) {
        return is_informative(one, unit_roundoff(match.precision));
      });
  return !problem.empty() || is_any_informative
             ? problem
             : "--dtype " + to_string(match.precision) +
                   ": its rounding hides what is right and what is wrong on "
                   "every case of the task";
}

void take_reading(const ClassReading& reading, Match& match, Record& blank,
                  std::vector<std::string>& notes) {
  match.module = reading.words;
  match.form = reading.form;
  notes = reading.notes;
  std::ranges::copy(reading.remarks, std::back_inserter(blank.remarks));
}

std::unique_ptr<Worker> start_loaded(const Program& program,
                                     const Limits& limits) {
  std::unique_ptr<Worker> worker = start_worker(program, limits);
  worker->load();
  return worker;
}

// The function may be in a file that was not compiled.
LoadFailure with_left_aside(LoadFailure failure, const Program& program) {
  if (failure.kind == "no-function" && !program.left_aside.empty()) {
    failure.detail += "\n    not compiled: " + program.left_aside;
  }
  return failure;
}

bool accuses(const Record& record) {
  return record.verdict != Verdict::correct &&
         record.verdict != Verdict::not_graded;
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

// A card that was missing: where no call came back, or none was lost by another
// exception. Whoever dies otherwise has no such excuse.
std::optional<CannotGrade> missing_device(const Observations& observations) {
  const Raised* first = nullptr;
  bool has_other_error = false;
  for (const CaseObservation& observation : observations.cases) {
    const auto* raised = std::get_if<Raised>(&observation.outcome);
    if (raised == nullptr) {
      if (!std::holds_alternative<Returned>(observation.outcome)) {
        return std::nullopt;
      }
    } else if (raised->missing_device.empty()) {
      has_other_error = true;
    } else if (first == nullptr) {
      first = raised;
    }
  }
  if (first == nullptr ||
      (has_other_error && returned_anything(observations))) {
    return std::nullopt;
  }
  return CannotGrade{"environment",
                     first->missing_device + "\n" + first->traceback};
}

// Where the adapter failed in a call: never the candidate's doing. Nothing else
// that this run has shown counts then.
std::optional<Record> failed_adapter(const Observations& observations,
                                     const Record& blank) {
  const auto found = std::ranges::find_if(
      observations.cases, [](const CaseObservation& observation) {
        const auto* raised = std::get_if<Raised>(&observation.outcome);
        return raised != nullptr && !raised->adapter.empty();
      });
  if (found == observations.cases.end()) {
    return std::nullopt;
  }
  const auto& raised = std::get<Raised>(found->outcome);
  const int rank = found->test_case->rank;
  const bool is_of_rank = std::ranges::any_of(
      observations.cases, [rank](const CaseObservation& observation) {
        return observation.test_case->rank != rank &&
               std::holds_alternative<Returned>(observation.outcome);
      });
  return Stopped{blank, "call " + found->test_case->name}(CannotGrade{
      "unsupported",
      "the adapter fails: " + one_line(raised.adapter, 600) +
          (is_of_rank
               ? "; \"ranks\" in the task file, or --ranks, leaves rank " +
                     std::to_string(rank) + " out"
               : "") +
          "\n" + raised.traceback});
}

// Nobody hands a class (A, B, n, C): where it is wrong there in another way
// than on (B, n, C), which `k.transpose(1, 2)` is, nothing is said against it.
bool is_wrong_beside_batches(const Record& record) {
  if (record.verdict == Verdict::unclassified ||
      record.verdict == Verdict::bad_output) {
    return std::ranges::find(record.ranks, 4) != record.ranks.end();
  }
  const auto& faults = record.faults_by_rank;
  const int usual = faults.contains(3) ? 3 : 2;
  return faults.contains(4) && faults.contains(usual) &&
         faults.at(4) != faults.at(usual);
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

}  // namespace

Grading::Grading(TaskBook& tasks, LoaderContext loader, MatchOptions match,
                 Limits limits)
    : tasks_(tasks),
      witness_(tasks, loader),
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
    return {Stopped{blank, "stage"}(*submission.problem)};
  }
  const Preparation preparation = prepare(submission, loader_);
  if (const auto* program = std::get_if<Program>(&preparation)) {
    return with_folder_advice(grade_program(*program, blank), submission);
  }
  if (const auto* failure = std::get_if<LoadFailure>(&preparation)) {
    const bool is_compiler = failure->kind == "compile";
    const Stopped stopped{blank, is_compiler ? "compile" : "load"};
    return with_folder_advice({stopped(*failure)}, submission);
  }
  return {Stopped{blank, "load"}(std::get<CannotGrade>(preparation))};
}

std::vector<Record> Grading::grade_program(const Program& program,
                                           const Record& blank) {
  const Stopped stopped{blank, "load"};
  std::unique_ptr<Worker> worker = start_worker(program, limits_);
  LoadOutcome loaded = worker->load();
  auto* description = std::get_if<Description>(&loaded.result);
  if (description == nullptr) {
    Record record;
    if (const auto* failure = std::get_if<LoadFailure>(&loaded.result)) {
      record = std::visit(stopped, judge(*failure, program));
    } else if (const auto* reason = std::get_if<CannotGrade>(&loaded.result)) {
      record = stopped(*reason);
    } else {
      record = stopped(std::get<Outcome>(loaded.result));
    }
    copy_output(*worker, program, record);
    return {record};
  }
  add_symbols(*description, program.symbols);
  refute_excuses(program, module_trial(program), *description);
  if (program.adapter != nullptr) {
    description->callables = program.adapter->callables;
    description->hints.clear();
  }
  const Matching matching =
      match_tasks(*description, tasks_.tasks(), program.language, match_);
  if (const auto* failure = std::get_if<LoadFailure>(&matching)) {
    return {stopped(with_left_aside(*failure, program))};
  }
  if (const auto* reason = std::get_if<CannotGrade>(&matching)) {
    return {stopped(*reason)};
  }
  Record run_by = blank;
  run_by.remarks = description->remarks;
  note_adapter(program, run_by);
  if (program.interpreter != nullptr) {
    run_by.interpreter = to_string(*program.interpreter);
  }
  return grade_matches(std::move(worker), program,
                       std::get<std::vector<Match>>(matching), run_by);
}

std::vector<Record> Grading::grade_matches(std::unique_ptr<Worker> worker,
                                           const Program& program,
                                           const std::vector<Match>& matches,
                                           const Record& run_by) {
  std::vector<Record> records;
  Limits remaining = limits_;
  // Classes are read in the process that has loaded them and graded in others:
  // the time that the search takes is not theirs.
  std::unique_ptr<Worker> reader;
  if (std::ranges::any_of(matches, [](const Match& match) {
        return match.module.has_value();
      })) {
    std::swap(reader, worker);
  }
  for (const Match& match : matches) {
    Record blank_of_task = run_by;
    Match judgeable =
        with_telling_precision(match, program.language, blank_of_task.remarks);
    if (program.adapter != nullptr) {
      judgeable.adapter = program.adapter->file.name;
    }
    std::vector<std::string> notes;
    if (match.module) {
      const auto reading = find_reading(*reader, tasks_, judgeable);
      if (const auto* reason = std::get_if<CannotGrade>(&reading)) {
        records.push_back(Stopped{
            begun_record(blank_of_task, program, judgeable), "call"}(*reason));
        continue;
      }
      take_reading(std::get<ClassReading>(reading), judgeable, blank_of_task,
                   notes);
    }
    if (!worker) {
      // A task starts in a fresh process: nothing is left of the one before.
      worker = start_loaded(program, remaining);
    }
    records.push_back(grade_match(*worker, program, judgeable, blank_of_task));
    if (match.module && is_wrong_beside_batches(records.back())) {
      std::erase(judgeable.form.ranks, 4);
      worker = start_loaded(program, remaining);
      records.back() = grade_match(*worker, program, judgeable, blank_of_task);
    }
    std::ranges::copy(notes, std::back_inserter(records.back().notes));
    if (!records.back().task) {  // it could not be loaded after all
      return {records.back()};
    }
    // What the search for an example took is not the submission's.
    remaining.cpu -= std::chrono::duration<double>(records.back().seconds /
                                                   program.time_factor);
    worker.reset();
  }
  return records;
}

// The file may have made half precision the default. Where nothing could be
// said of such numbers, the usual ones are passed.
Match Grading::with_telling_precision(const Match& match, Language language,
                                      std::vector<std::string>& remarks) {
  const bool is_set_by_file = !match_.dtype &&
                              match.precision != DType::float32 &&
                              match.framework != Framework::numpy;
  if (!is_set_by_file ||
      obstacle(tasks_.cases(match.task, match.precision), match, language)
          .empty()) {
    return match;
  }
  Match single = match;
  single.precision = DType::float32;
  remarks.push_back("the file makes " + to_string(match.precision) +
                    " the default of " + to_string(match.framework) +
                    ", which cannot tell right from wrong here: float32 is "
                    "passed");
  return single;
}

Record Grading::grade_match(Worker& worker, const Program& program,
                            const Match& match, const Record& blank) {
  const DType precision = match.precision;
  const CaseSet& set = match.module
                           ? tasks_.cases(match.task, precision, match.form)
                           : tasks_.cases(match.task, precision);
  Record record = begun_record(blank, program, match);
  const std::string problem = obstacle(set, match, program.language);
  if (!problem.empty()) {
    return with_cause(record, Verdict::not_graded,
                      simple_cause("unsupported", problem, "load"));
  }
  const Observations observations = observe(worker, match, set.cases);
  if (auto failed = program.adapter == nullptr
                        ? std::nullopt
                        : failed_adapter(observations, record)) {
    copy_output(worker, program, *failed);
    return *failed;
  }
  if (const auto other =
          returned_anything(observations)
              ? std::nullopt
              : without_answers(worker, observations, program, match, blank)) {
    return *other;
  }
  std::ranges::copy(observations.conventions,
                    std::back_inserter(record.remarks));
  static_cast<Diagnosis&>(record) =
      diagnose(observations, set.prepared, precision);
  if (const auto stopped =
          record.verdict == Verdict::crashed
              ? stopped_by_machine(worker, observations, program, match, blank)
              : std::nullopt) {
    return *stopped;
  }
  if (program.language == Language::python && !match.tokens_first &&
      !match.callable.heads_first &&
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
  static_cast<Diagnosis&>(record) = with_public_cases_only(record);
  set_score(tasks_.rubric(match.task), record);
  record.exhibit = make_exhibit(observations, match, record);
  copy_output(worker, program, record);
  if (program.language == Language::python && accuses(record)) {
    if (const auto reason = doubt(program, match)) {
      return Stopped{blank, "load"}(*reason);
    }
  }
  if (!match.module) {
    record.smallest_example =
        find_smallest_example(worker, match, observations, record);
  }
  judge_library_calls(tasks_.task(match.task), program, match, observations,
                      record);
  set_score(tasks_.rubric(match.task), record);
  return record;
}

void Grading::note_adapter(const Program& program, Record& record) const {
  if (loader_.adapter == nullptr) {
    return;
  }
  const AdapterFile& file = loader_.adapter->file;
  if (program.adapter == nullptr) {
    record.remarks.push_back("the adapter " + file.name +
                             " is for Python: called without it");
    return;
  }
  record.remarks.push_back("called through the adapter " + file.name);
  record.adapter = UsedAdapter{file.name, sha256(file.text)};
}

std::variant<LoadFailure, CannotGrade> Grading::judge(
    const LoadFailure& failure, const Program& program) {
  const bool is_python = loader_.interpreters != nullptr;
  return judge_load_failure(failure, tasks_.tasks(), program,
                            is_python && failure.kind == "import"
                                ? loader_.interpreters->all()
                                : std::vector<InterpreterPtr>(),
                            module_trial(program));
}

TryModule Grading::module_trial(const Program& program) const {
  return [this, interpreter = program.interpreter](const std::string& module) {
    return loader_.module_trials->failure(module, *interpreter, loader_);
  };
}

// Why an accusation may be due to what the submission runs in, or nothing.
std::optional<CannotGrade> Grading::doubt(const Program& program,
                                          const Match& match) {
  if (auto lost = lost_library(program, module_trial(program))) {
    return lost;
  }
  const auto doubt = witness_.doubt(program, match);
  return doubt ? std::optional(CannotGrade{"environment", *doubt})
               : std::nullopt;
}

// A module or a device that is not there, and that only the calls touch.
std::optional<Record> Grading::stopped_by_machine(
    const Worker& worker, const Observations& observations,
    const Program& program, const Match& match, const Record& blank) {
  std::optional<Record> record;
  if (const auto failure = late_import_failure(observations)) {
    record = std::visit(Stopped{blank, "load"}, judge(*failure, program));
  } else if (const auto reason = may_lack_device(program)
                                     ? missing_device(observations)
                                     : std::nullopt) {
    record = Stopped{begun_record(blank, program, match), "call"}(*reason);
  } else {
    return std::nullopt;
  }
  copy_output(worker, program, *record);
  return record;
}

// Where no call has returned: what stopped them all, or what comes of the calls
// with other arrays.
std::optional<Record> Grading::without_answers(const Worker& worker,
                                               const Observations& observations,
                                               const Program& program,
                                               const Match& match,
                                               const Record& blank) {
  if (auto stopped =
          stopped_by_machine(worker, observations, program, match, blank)) {
    return stopped;
  }
  const bool always_raised = std::ranges::all_of(
      observations.cases, [](const CaseObservation& observation) {
        return std::holds_alternative<Raised>(observation.outcome);
      });
  const auto other =
      always_raised ? with_other_arrays(program, match) : std::nullopt;
  if (!other) {
    return std::nullopt;
  }
  Record afresh = blank;
  afresh.remarks.push_back("called with " + arrays_text(other->framework) +
                           ": on " + arrays_text(match.framework) +
                           " every call raised an exception");
  const auto fresh = start_loaded(program, limits_);
  return grade_match(*fresh, program, *other, afresh);
}

// The file imports torch or JAX and the function wants numpy arrays, or tensors
// by way of another file: where some call with them returns, the match for
// that.
std::optional<Match> Grading::with_other_arrays(const Program& program,
                                                const Match& match) {
  // Once: a submission that raises or not as it likes would have no end.
  if (program.language != Language::python || program.adapter != nullptr ||
      match_.framework || match.module ||
      match.framework != match.callable.framework) {
    return std::nullopt;
  }
  for (const Framework framework :
       {Framework::numpy, Framework::torch, Framework::jax}) {
    if (framework == match.framework || !uses(program, framework)) {
      continue;
    }
    Match other = match;
    other.framework = framework;
    other.precision = match_.dtype.value_or(usual_precision(other));
    const auto worker = start_loaded(program, limits_);
    const auto& cases = tasks_.cases(match.task, other.precision).cases;
    if (std::ranges::any_of(cases, [&](const Case& one) {
          return std::holds_alternative<Returned>(
              worker->call(other, make_call(one)));
        })) {
      return other;
    }
  }
  return std::nullopt;
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
  const auto worker = start_loaded(program, limits_);
  Record regraded = grade_match(*worker, program, other, afresh);
  const bool explains = regraded.verdict == Verdict::correct ||
                        regraded.verdict == Verdict::faulty;
  return explains ? std::optional(std::move(regraded)) : std::nullopt;
}

}  // namespace grader
