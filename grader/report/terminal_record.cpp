// SPDX-License-Identifier: MIT
#include <algorithm>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/report/compared_rows.hpp"
#include "grader/report/evidence_text.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/paint.hpp"
#include "grader/report/terminal.hpp"
#include "grader/report/terminal_example.hpp"
#include "grader/report/wording.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

constexpr std::size_t label_width = 12;
constexpr std::size_t longest_task = 30;  // leaves room for the file's name
constexpr std::size_t longest_word = 60;  // of names inside sentences

std::string row(std::string_view label, std::string_view value,
                const TerminalStyle& style) {
  if (value.empty()) {
    return {};
  }
  return labelled(label, value, {2, label_width, style.width});
}

// At most `max_lines` lines of hostile text, none longer than `max_width`.
std::string excerpt(const std::string& hostile, std::size_t max_lines,
                    std::size_t max_width) {
  // More bytes cannot be shown: a character has at most four.
  const std::string head = hostile.substr(0, max_lines * max_width * 4);
  std::string rest = printable(strip_escapes(head));
  std::replace(rest.begin(), rest.end(), '\t', ' ');
  std::string text;
  for (std::size_t line = 0; line < max_lines && !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += (line == 0 ? "" : "\n") +
            shorten_end(std::string_view(rest).substr(0, end), max_width);
    rest.erase(0, end + 1);
  }
  return rest.empty() ? text : text + "\n...";
}

std::string block(std::string_view title, const std::string& hostile,
                  std::size_t max_lines, const TerminalStyle& style) {
  const std::size_t width = style.width - 4;
  std::string lines = "  " + std::string(title) + "\n";
  for (const std::string& line :
       wrap(excerpt(hostile, max_lines, width), width)) {
    lines += line.empty() ? "\n" : "    " + line + "\n";
  }
  return lines;
}

std::string score_text(const Record& record) {
  if (record.verdict == Verdict::not_graded) {
    return "no score";
  }
  return "score " + significant(record.score, 3) + " of " +
         significant(record.max_score, 3);
}

std::string headline(const Record& record, const TerminalStyle& style) {
  std::string verdict = to_string(record.verdict);
  std::ranges::transform(verdict, verdict.begin(), [](char c) {
    return c == '-' ? ' ' : static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c);
  });
  const std::string score = score_text(record);
  std::string task;
  if (record.task) {
    task = shorten_end(one_line(*record.task), longest_task) + " · ";
  }
  const std::size_t fixed_width = display_width(task) + verdict.size();
  const std::size_t room = style.width - fixed_width - score.size() - 5;
  const std::string left =
      shorten_middle(one_line(record.file), room) + " · " + task;
  const std::string painted = paint(verdict, colour_of(record.verdict), style);
  const std::size_t used = display_width(left) + verdict.size();
  return left + painted + pad_left(score, style.width - used) + "\n";
}

std::string sentence_line(const std::string& sentence, const std::string& tag,
                          const TerminalStyle& style) {
  const std::size_t used = 2 + display_width(sentence);
  if (tag.empty() && used <= style.width) {
    return "  " + paint(sentence, Colour::bold, style) + "\n";
  }
  if (used + 2 + display_width(tag) <= style.width) {
    return "  " + paint(sentence, Colour::bold, style) +
           pad_left(tag, style.width - used) + "\n";
  }
  std::string text;
  for (const std::string& line : wrap(sentence, style.width - 2)) {
    text += "  " + paint(line, Colour::bold, style) + "\n";
  }
  if (tag.empty()) {
    return text;
  }
  return text + pad_left(shorten_end(tag, style.width), style.width) + "\n";
}

// One fault: the sentence. Several: a line each below the first.
std::string finding(const Record& record, const TerminalStyle& style) {
  if (record.faults.size() <= 1) {
    std::string tag = join(record.faults, " ");
    if (!tag.empty() && !record.certainty.empty()) {
      tag += "  " + record.certainty;
    }
    const std::string sentence = headline_sentence(record);
    return sentence.empty() && tag.empty()
               ? std::string()
               : sentence_line(sentence, tag, style);
  }
  std::string text =
      sentence_line(headline_sentence(record), record.certainty, style);
  for (const std::string& id : record.faults) {
    const Fault* fault = find_fault(id);
    text +=
        labelled("+ " + id, fault == nullptr ? "" : fault->title,
                 {2, std::max<std::size_t>(28, id.size() + 3), style.width});
  }
  return text;
}

std::string proof(const Record& record, const TerminalStyle& style) {
  const Evidence& evidence = record.evidence;
  std::string text;
  if (evidence.scale_law) {
    text += row("Scale law", scale_law_text(*evidence.scale_law), style);
  }
  text += row("Found", params_text(evidence), style);
  text += row("Proof", hypothesis_text(evidence), style);
  text += row("Next best", runner_up_text(evidence), style);
  text += row("Tie", ties_text(record), style);
  text += row("Ranks", ranks_text(record), style);
  if (record.score_if_mended == record.max_score) {
    text += row("Score", "With only this fault mended: full marks.", style);
  }
  text += row("Stage", one_line(evidence.stage), style);
  text += row("Broken", broken_properties(evidence), style);
  text += row("Right", join(evidence.right, ", "), style);
  text += row("Weights", one_line(evidence.limitation), style);
  return text;
}

// What the detail says beyond the sentence that is already there.
std::string beyond_summary(const Record& record) {
  std::string_view detail = record.cause->detail;
  if (detail.starts_with(record.summary)) {
    detail.remove_prefix(record.summary.size());
    detail.remove_prefix(
        std::min(detail.find_first_not_of(" .\n"), detail.size()));
  }
  return std::string(detail);
}

std::string cause(const Record& record, const TerminalStyle& style) {
  if (!record.cause) {
    return {};
  }
  constexpr std::size_t shown_lines = 16;
  constexpr std::size_t longest_line = 200;
  const Cause& cause = *record.cause;
  std::string text;
  text +=
      row("Cause", excerpt(beyond_summary(record), shown_lines, longest_line),
          style);
  text += row("When", one_line(cause.phase), style);
  text += row("Limit", one_line(cause.limit), style);
  const std::string effect =
      cause.option.ends_with("-limit") ? ", which sets another limit" : "";
  text += row("Try", cause.option.empty() ? "" : cause.option + effect, style);
  return text;
}

std::string exhibit(const Record& record, const TerminalStyle& style) {
  if (!record.exhibit || record.exhibit->expected.empty()) {
    return {};
  }
  const Exhibit& shown = *record.exhibit;
  std::string title = "Case " + std::to_string(shown.case_number) + " of " +
                      std::to_string(shown.case_count) + ", " +
                      one_line(shown.case_name, longest_word);
  const std::string where = one_line(shown.where);
  if (!where.empty()) {
    title += ": " + where;
  }
  if (where.find(shown.what) == std::string::npos) {
    title += " of the " + shown.what;
  }
  std::string text;
  for (const std::string& line : wrap(title, style.width - 2)) {
    text += "  " + line + "\n";
  }
  text += compared_rows(shown.expected, shown.actual, style.width);
  for (const std::string& line :
       wrap(one_line(shown.comment), style.width - 4)) {
    text += line.empty() ? "" : "    " + line + "\n";
  }
  return text;
}

std::string smallest_example(const Record& record, const TerminalStyle& style) {
  return record.smallest_example
             ? render_example(*record.smallest_example, style)
             : "";
}

std::string repeat_it(const Record& record, const TerminalStyle& style) {
  if (!record.exhibit || record.exhibit->numpy.empty()) {
    return {};
  }
  std::string text = "  Repeat it\n";
  for (const std::string& code : record.exhibit->numpy) {
    for (const std::string& line :
         wrap_code(printable(code), style.width - 4)) {
      text += "    " + line + "\n";
    }
  }
  return text;
}

bool ended_badly(Verdict verdict) {
  return verdict != Verdict::correct && verdict != Verdict::faulty &&
         verdict != Verdict::unclassified;
}

std::string captured(const Record& record, const TerminalStyle& style) {
  const std::size_t shown_lines = style.verbose ? 200 : 8;
  if (!style.verbose && !ended_badly(record.verdict)) {
    return {};
  }
  std::string text;
  if (!record.standard_error.empty()) {
    text +=
        block("It wrote to stderr", record.standard_error, shown_lines, style);
  }
  if (!record.standard_output.empty()) {
    text +=
        block("It wrote to stdout", record.standard_output, shown_lines, style);
  }
  return text;
}

std::string case_line(const CaseResult& result, const TerminalStyle& style) {
  std::string state = result.passed ? "passed" : result.outcome;
  if (!result.passed && result.outcome == "returned") {
    state = "differs";
  }
  if (result.excluded) {
    state = *result.excluded;
  }
  if (result.max_error && result.tolerance) {
    state += ", error " + significant(*result.max_error) + ", limit " +
             significant(*result.tolerance);
  }
  if (!result.detail.empty()) {
    state += ": " + one_line(result.detail);
  }
  const std::string line =
      "    " + pad_right(shorten_end(one_line(result.name), 24), 26) + state;
  return shorten_end(line, style.width) + "\n";
}

std::string case_table(const Record& record, const TerminalStyle& style) {
  if (!style.verbose || record.cases.empty()) {
    return {};
  }
  std::string text = "  Cases\n";
  for (const CaseResult& result : record.cases) {
    text += case_line(result, style);
  }
  return text;
}

// Where a guess was made it is worth a line.
bool has_guessed_parameters(const Record& record) {
  return std::ranges::any_of(
      record.parameters, [](const ModuleParameter& parameter) {
        return parameter.by == "shape" || parameter.by == "use";
      });
}

// "torch.softmax, line 12 (the task forbids it)"
std::string call_text(const LibraryCall& call) {
  std::string text = one_line(call.name, 80);
  if (!call.place.empty()) {
    text += ", " + one_line(call.place, 80);
  }
  if (call.judged == "unseen") {
    return text + " (in the text; seen in no call)";
  }
  if (call.judged == "fault") {
    text += " (the task forbids it)";
  }
  return call.was_seen ? text : text + " (by its text; seen in no call)";
}

std::string calls_text(const Record& record) {
  std::vector<std::string> calls;
  calls.reserve(record.library_calls.size());
  for (const LibraryCall& call : record.library_calls) {
    calls.push_back(call_text(call));
  }
  return join(calls, "; ");
}

// The first fault, else a note with questions to ask.
const Fault* find_finding(const Record& record) {
  if (!record.faults.empty()) {
    return find_fault(record.faults.front());
  }
  for (const std::string& note : record.notes) {
    if (const Fault* fault = find_fault(note)) {
      return fault;
    }
  }
  return nullptr;
}

std::string closing(const Record& record, const TerminalStyle& style) {
  std::string text;
  std::string notes = join(record.notes, "; ");
  text += row("Declined", declined_text(record), style);
  text += row("Notes", one_line(notes, 600), style);
  text += row("Calls", one_line(calls_text(record), 600), style);
  text += row("Loaded", one_line(join(record.remarks, "; "), 600), style);
  if (style.verbose) {
    text += row("Called with", one_line(record.called_with, 600), style);
  }
  if (style.verbose || has_guessed_parameters(record)) {
    text += row("Parameters", parameters_text(record), style);
  }
  if (style.verbose) {
    text += row("Run by", one_line(record.interpreter), style);
  }
  if (const Fault* fault = find_finding(record)) {
    if (!style.for_candidate) {
      const WrongAnswer& wrong = fault->wrong_answers.front();
      text += row("Ask next", fault->questions.front().question, style);
      text += row("If you hear", wrong.answer, style);
      text += row("Reply", wrong.why, style);
    }
    text += row("More", "attngrade faults " + fault->id, style);
  }
  return text;
}

}  // namespace

std::string render_record(const Record& record, const TerminalStyle& style) {
  std::string evidence = proof(record, style) + cause(record, style);
  if (record.verdict == Verdict::correct) {
    evidence = row("Margin", margin_text(record), style) + evidence;
  }
  std::string text = headline(record, style);
  for (const std::string& section :
       {finding(record, style), evidence, exhibit(record, style),
        smallest_example(record, style), repeat_it(record, style),
        captured(record, style), case_table(record, style),
        closing(record, style)}) {
    if (!section.empty()) {
      text += "\n" + section;
    }
  }
  return text;
}

}  // namespace grader
