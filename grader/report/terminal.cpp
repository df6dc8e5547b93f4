// SPDX-License-Identifier: MIT
#include "grader/report/terminal.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/paint.hpp"
#include "grader/report/wording.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

constexpr std::array every_verdict{
    Verdict::correct,       Verdict::faulty,    Verdict::unclassified,
    Verdict::bad_output,    Verdict::crashed,   Verdict::timed_out,
    Verdict::out_of_memory, Verdict::forbidden, Verdict::limit_exceeded,
    Verdict::load_error,    Verdict::rejected,  Verdict::not_graded};

struct Count {
  std::string name;
  std::size_t number = 0;
};

// Largest first, equal ones by name.
std::vector<Count> sorted_counts(const std::map<std::string, std::size_t>& by) {
  std::vector<Count> counts;
  counts.reserve(by.size());
  for (const auto& [name, number] : by) {
    counts.push_back({name, number});
  }
  std::ranges::stable_sort(counts, std::ranges::greater(), &Count::number);
  return counts;
}

std::size_t count_of(const Run& run, Verdict verdict) {
  return static_cast<std::size_t>(
      std::ranges::count(run.records, verdict, &Record::verdict));
}

std::string plural(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

// One mark a result, or a share of the longest bar where those are too many.
std::string bar(std::size_t number, std::size_t largest) {
  constexpr std::size_t longest = 32;
  const std::size_t length = number * longest / std::max(longest, largest);
  return std::string(number == 0 ? 0 : std::max<std::size_t>(1, length), '#');
}

std::string fault_table(const Run& run, const TerminalStyle& style) {
  constexpr std::size_t shown = 12;
  constexpr std::size_t name_width = 25;
  std::map<std::string, std::size_t> by_fault;
  for (const Record& record : run.records) {
    for (const std::string& fault : record.faults) {
      ++by_fault[fault];
    }
  }
  std::vector<Count> counts = sorted_counts(by_fault);
  if (counts.size() > shown) {
    Count rest{std::to_string(counts.size() - shown + 1) + " more kinds", 0};
    while (counts.size() >= shown) {
      rest.number += counts.back().number;
      counts.pop_back();
    }
    counts.push_back(rest);
  }
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += i % 2 == 0 ? "    " : "     ";
    text += pad_right(shorten_end(one_line(counts[i].name), name_width - 1),
                      name_width) +
            pad_left(std::to_string(counts[i].number), 4);
    text += i % 2 == 1 || i + 1 == counts.size() ? "\n" : "";
  }
  return style.width < 68 ? std::string() : text;
}

std::string verdict_table(const Run& run, const TerminalStyle& style) {
  std::size_t largest = 0;
  for (const Verdict verdict : every_verdict) {
    largest = std::max(largest, count_of(run, verdict));
  }
  std::string text;
  for (const Verdict verdict : every_verdict) {
    const std::size_t number = count_of(run, verdict);
    if (number == 0) {
      continue;
    }
    text += "  " + pad_right(to_string(verdict), 16) +
            pad_left(std::to_string(number), 5) + "  " +
            paint(bar(number, largest), colour_of(verdict), style) + "\n";
    if (verdict == Verdict::faulty) {
      text += fault_table(run, style);
    }
  }
  return text;
}

struct ListColumns {
  std::size_t file = 0;
  std::size_t task = 0;
};

// Columns for the usual name; longer ones push the rest of their line.
ListColumns list_columns(const Run& run, Verdict verdict) {
  constexpr std::size_t usual_file = 30;
  constexpr std::size_t usual_task = 16;
  ListColumns columns;
  for (const Record& record : run.records) {
    if (record.verdict == verdict) {
      columns.file =
          std::max(columns.file, display_width(one_line(record.file)));
      columns.task =
          std::max(columns.task, display_width(record.task.value_or("")));
    }
  }
  return {std::min(columns.file, usual_file),
          std::min(columns.task, usual_task)};
}

// File, task and finding; a finding that does not fit has a line of its own.
std::string list_line(const Record& record, const ListColumns& columns,
                      const TerminalStyle& style) {
  constexpr std::size_t longest_file = 40;
  constexpr std::size_t longest_task = 30;
  const std::string file = shorten_middle(one_line(record.file), longest_file);
  const std::string task =
      shorten_end(one_line(record.task.value_or("")), longest_task);
  const std::string found = short_finding(record);
  std::string line = "  " + pad_right(file, columns.file) + "  ";
  if (columns.task > 0) {
    line += pad_right(task, columns.task) + "  ";
  }
  if (display_width(line) + display_width(found) <= style.width) {
    return line + found + "\n";
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n    " + shorten_end(found, style.width - 4) + "\n";
}

std::string lists(const Run& run, const TerminalStyle& style) {
  std::string text;
  for (const Verdict verdict : every_verdict) {
    if (verdict == Verdict::correct || count_of(run, verdict) == 0) {
      continue;
    }
    const ListColumns columns = list_columns(run, verdict);
    text += paint(to_string(verdict), colour_of(verdict), style) + "\n";
    for (const Record& record : run.records) {
      if (record.verdict == verdict) {
        text += list_line(record, columns, style);
      }
    }
    text += "\n";
  }
  return text;
}

// Right or not: whoever reads the list is to know whose answer is not his own.
std::string calls_list(const Run& run, const TerminalStyle& style) {
  std::string text;
  for (const Record& record : run.records) {
    const auto call =
        std::ranges::find(record.library_calls, "note", &LibraryCall::judged);
    if (call != record.library_calls.end()) {
      text += shorten_end("  " + shorten_middle(one_line(record.file), 40) +
                              "  " + one_line(call->name, 80) + ", " +
                              one_line(call->place, 60),
                          style.width) +
              "\n";
    }
  }
  return text.empty() ? text : "calls of a library\n" + text + "\n";
}

std::string notes_line(const Run& run, const TerminalStyle& style) {
  std::map<std::string, std::size_t> by_note;
  for (const Record& record : run.records) {
    for (const std::string& note : record.notes) {
      ++by_note[one_line(note.substr(0, note.find_first_of(":( ")), 60)];
    }
  }
  std::vector<std::string> parts;
  for (const Count& count : sorted_counts(by_note)) {
    parts.push_back(count.name + " " + std::to_string(count.number));
  }
  return parts.empty()
             ? std::string()
             : labelled("Notes", join(parts, ", "), {2, 8, style.width});
}

std::string isolation_text(const Run& run) {
  const std::string level = "isolation " + run.isolation_level;
  return run.isolation_detail.empty()
             ? level
             : level + " (" + run.isolation_detail + ")";
}

std::string run_line(const Run& run, const TerminalStyle& style) {
  std::string text = plural(run.submissions, "submission");
  if (run.records.size() != run.submissions) {
    text += ", " + plural(run.records.size(), "result");
  }
  text += " in " + duration_text(run.seconds) + ", " + isolation_text(run);
  return join(wrap(text, style.width), "\n") + "\n";
}

std::string one_submission_line(const Run& run, const TerminalStyle& style) {
  std::string text = duration_text(run.seconds) + ", ";
  if (!style.for_candidate) {
    text += "seed " + std::to_string(run.seed) + ", ";
  }
  text += isolation_text(run);
  return labelled("Run", text, {2, 12, style.width});
}

std::string passed_over_line(const Run& run) {
  return run.passed_over == 0 ? std::string()
                              : "\n  " + plural(run.passed_over, "file") +
                                    " passed over: no submissions\n";
}

}  // namespace

std::string render_summary(const Run& run, const TerminalStyle& style) {
  std::string text = lists(run, style) + calls_list(run, style) +
                     run_line(run, style) + "\n" + verdict_table(run, style);
  const std::string notes = notes_line(run, style);
  if (!notes.empty()) {
    text += "\n" + notes;
  }
  return text + passed_over_line(run);
}

std::string render_run(const Run& run, const TerminalStyle& style) {
  std::string text;
  const bool in_full = style.verbose || run.submissions == 1;
  for (const Record& record : run.records) {
    if (in_full) {
      text += (text.empty() ? "" : "\n") + render_record(record, style);
    }
  }
  if (run.submissions == 1) {
    return text + "\n" + one_submission_line(run, style) +
           passed_over_line(run);
  }
  return text + (text.empty() ? "" : "\n") + render_summary(run, style);
}

}  // namespace grader
