// SPDX-License-Identifier: MIT
#include "grader/library_calls.hpp"

#include <algorithm>
#include <string_view>

#include "grader/diagnosis/conduct_diagnosis.hpp"
#include "grader/loader/adapter.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// Of the submission's only file, whose name goes without saying.
std::string without_file(const std::string& place, const Program& program) {
  const std::string start = program.submission.filename().string() + ", ";
  return place.starts_with(start) ? place.substr(start.size()) : place;
}

std::vector<SeenCall> seen_calls(const Observations& observations,
                                 const Program& program) {
  std::vector<SeenCall> calls;
  for (const CaseObservation& one : observations.cases) {
    const auto* returned = std::get_if<Returned>(&one.outcome);
    if (returned == nullptr) {
      continue;
    }
    for (SeenCall call : returned->library_calls) {
      call.place = without_file(call.place, program);
      if (std::ranges::find(calls, call) == calls.end()) {
        calls.push_back(std::move(call));
      }
    }
  }
  return calls;
}

void add_calls_of(const Program& program, const std::string& function,
                  std::vector<NamedCall>& calls) {
  const auto found = program.named_calls.find(function);
  if (found != program.named_calls.end()) {
    calls.insert(calls.end(), found->second.begin(), found->second.end());
  }
}

// Those that the graded function comes to; those of the whole file where its
// definition was not found in the text.
std::vector<NamedCall> named_calls(const Program& program, const Match& match) {
  std::vector<NamedCall> calls;
  if (program.adapter != nullptr) {
    for (const std::string& name : program.adapter->asks_for) {
      add_calls_of(program, name, calls);
    }
    return calls;
  }
  const std::string& entry = match.callable.name;
  const std::string bound = entry.substr(0, entry.find('.'));
  const bool is_known = std::ranges::count(program.definitions, bound) > 0;
  add_calls_of(program, is_known ? entry : "", calls);
  return calls;
}

const ForbiddenCall* objection_to(const std::string& name, const Task& task) {
  const auto found =
      std::ranges::find(task.forbidden_calls, name, &ForbiddenCall::name);
  return found == task.forbidden_calls.end() ||
                 found->objection == Objection::nothing
             ? nullptr
             : &*found;
}

void list_calls(const Task& task, const std::vector<SeenCall>& seen,
                const std::vector<NamedCall>& named, Record& record) {
  for (const SeenCall& call : seen) {
    if (objection_to(call.name, task) == nullptr) {
      continue;
    }
    const auto in_text = std::ranges::find(named, call.name, &NamedCall::name);
    const bool has_place = !call.place.empty() || in_text == named.end();
    record.library_calls.push_back(
        {call.name, has_place ? call.place : in_text->place, true, ""});
  }
  const std::size_t count = record.library_calls.size();
  for (const NamedCall& call : named) {
    const auto end =
        record.library_calls.begin() + static_cast<std::ptrdiff_t>(count);
    const bool was_seen = std::any_of(
        record.library_calls.begin(), end,
        [&](const LibraryCall& one) { return one.name == call.name; });
    if (!was_seen && objection_to(call.name, task) != nullptr) {
      record.library_calls.push_back(
          {call.name, call.place, false, call.is_certain ? "" : "unseen"});
    }
  }
}

std::string sentence_on(const LibraryCall& call, Objection objection) {
  std::string text = "it calls " + one_line(call.name, 80);
  if (!call.place.empty()) {
    text += " (" + one_line(call.place, 80) + ")";
  }
  return objection == Objection::fault ? text + ", which the task forbids"
                                       : text;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

void judge_call(const ForbiddenCall& forbidden, LibraryCall& call,
                Record& record) {
  const std::string id =
      forbidden.is_attention ? "library-attention" : "forbidden-call";
  const bool is_explained =
      record.verdict == Verdict::correct || record.verdict == Verdict::faulty;
  const bool is_fault = forbidden.objection == Objection::fault && is_explained;
  call.judged = is_fault ? "fault" : "note";
  if (is_fault && !has(record.faults, id)) {
    static_cast<Diagnosis&>(record) =
        with_further_fault(record, id, sentence_on(call, forbidden.objection));
    std::erase(record.notes, id);
  } else if (!is_fault && !has(record.notes, id) && !has(record.faults, id)) {
    record.notes.push_back(id);
  }
}

}  // namespace

void judge_library_calls(const Task& task, const Program& program,
                         const Match& match, const Observations& observations,
                         Record& record) {
  list_calls(task, seen_calls(observations, program),
             named_calls(program, match), record);
  for (LibraryCall& call : record.library_calls) {
    if (call.judged.empty()) {
      judge_call(*objection_to(call.name, task), call, record);
    }
  }
}

}  // namespace grader
