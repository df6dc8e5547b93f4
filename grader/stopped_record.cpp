// SPDX-License-Identifier: MIT
#include "grader/stopped_record.hpp"

#include <algorithm>
#include <utility>

#include "grader/diagnosis/mishap.hpp"
#include "grader/loader/judge.hpp"
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

}  // namespace

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

Record Stopped::operator()(const Problem& problem) const {
  return with_cause(
      blank, verdict_of(problem.kind),
      simple_cause(to_string(problem.kind), problem.detail, phase));
}

Record Stopped::operator()(const LoadFailure& failure) const {
  return with_cause(blank, Verdict::load_error,
                    simple_cause(failure.kind, failure.detail, phase));
}

Record Stopped::operator()(const CannotGrade& reason) const {
  Record record = with_cause(blank, Verdict::not_graded,
                             simple_cause(reason.kind, reason.detail, phase));
  if (!reason.task.empty()) {
    record.task = reason.task;
    record.entry = reason.entry;
  }
  return record;
}

Record Stopped::operator()(const Outcome& outcome) const {
  const auto mishap = judge_outcome(outcome, phase);
  Record record = blank;
  record.verdict = mishap ? mishap->verdict : Verdict::not_graded;
  record.summary = mishap ? mishap->summary : "";
  record.cause = mishap ? mishap->cause : Cause{};
  return record;
}

std::vector<Record> with_folder_advice(std::vector<Record> records,
                                       const Submission& submission) {
  const bool is_one_file =
      submission.form == Form::python || submission.form == Form::notebook ||
      submission.form == Form::c || submission.form == Form::cpp;
  if (!is_one_file) {
    return records;
  }
  for (Record& record : records) {
    if (record.verdict == Verdict::load_error && record.cause) {
      const std::string advice = folder_advice(*record.cause, submission);
      std::string& detail = record.cause->detail;
      if (record.cause->kind == "compile") {
        detail += advice.empty() ? "" : "\n" + advice.substr(2);
      } else {
        detail.insert(std::min(detail.find('\n'), detail.size()), advice);
      }
      record.summary += advice;
    }
  }
  return records;
}

}  // namespace grader
