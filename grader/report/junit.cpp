// SPDX-License-Identifier: MIT
#include "grader/report/junit.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"
#include "grader/report/terminal.hpp"
#include "grader/report/wording.hpp"
#include "grader/report/xml_writer.hpp"
#include "grader/system/bounded_text.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

using Element = XmlWriter::Element;

struct Totals {
  std::size_t failures = 0;
  std::size_t errors = 0;
  double seconds = 0.0;
};

bool is_failure(const Record& record) {
  return record.verdict != Verdict::correct &&
         record.verdict != Verdict::not_graded;
}

bool is_error(const Record& record) {
  return record.verdict == Verdict::not_graded;
}

Totals total(std::span<const Record> records) {
  Totals totals;
  for (const Record& record : records) {
    totals.failures += is_failure(record) ? 1U : 0U;
    totals.errors += is_error(record) ? 1U : 0U;
    totals.seconds += record.seconds;
  }
  return totals;
}

void add_totals(Element& element, std::span<const Record> records) {
  constexpr int milliseconds = 3;  // more digits than any reader shows
  const Totals totals = total(records);
  element.attribute("tests", std::to_string(records.size()))
      .attribute("failures", std::to_string(totals.failures))
      .attribute("errors", std::to_string(totals.errors))
      .attribute("skipped", "0")
      .attribute("time", fixed(totals.seconds, milliseconds));
}

// Bytes of text for one record, so that all of them stay below 20 MB.
std::size_t text_budget(const Run& run) {
  constexpr std::size_t whole_document = std::size_t{20} << 20U;
  constexpr std::size_t longest = std::size_t{16} << 10U;
  // A character grows to at most six when it is escaped; three texts a record.
  constexpr std::size_t growth = std::size_t{6} * 3;
  const std::size_t records = std::max<std::size_t>(1, run.records.size());
  return std::min(longest, whole_document / growth / records);
}

std::string capped(const std::string& hostile, std::size_t budget) {
  BoundedText text(budget / 2, budget / 2);
  text.append(strip_escapes(hostile));
  return text.text();
}

void write_verdict(XmlWriter& xml, const Record& record, std::size_t budget) {
  if (record.verdict == Verdict::correct) {
    return;
  }
  std::string message = to_string(record.verdict) + ": ";
  if (!record.faults.empty()) {
    message += join(record.faults, " + ") + ": ";
  }
  message += headline_sentence(record);
  Element element(xml, is_error(record) ? "error" : "failure");
  element.attribute("message", one_line(message))
      .attribute("type", record.faults.empty() ? to_string(record.verdict)
                                               : record.faults.front())
      .text(capped(render_record(record, TerminalStyle{}), budget));
}

void write_output(XmlWriter& xml, const std::string& name,
                  const std::string& hostile, std::size_t budget) {
  if (!hostile.empty()) {
    Element(xml, name).text(capped(hostile, budget));
  }
}

// Readers drop a test case whose classname and name they have met before.
class UniqueNames {
 public:
  std::string name(const Record& record) {
    const std::string base = record.task.value_or("load");
    std::string candidate = base;
    if (seen_.contains({record.file, candidate})) {
      candidate = base + " (" + record.entry + ")";
    }
    for (int number = 2; seen_.contains({record.file, candidate}); ++number) {
      candidate = base + " #" + std::to_string(number);
    }
    seen_.insert({record.file, candidate});
    return candidate;
  }

 private:
  std::set<std::pair<std::string, std::string>> seen_;
};

void write_notes(XmlWriter& xml, const Record& record) {
  if (record.notes.empty()) {
    return;
  }
  const Element properties(xml, "properties");
  for (const std::string& note : record.notes) {
    Element(xml, "property")
        .attribute("name", "note")
        .attribute("value", one_line(note));
  }
  for (const LibraryCall& call : record.library_calls) {
    Element(xml, "property")
        .attribute("name", "library call")
        .attribute("value",
                   one_line(call.judged + ": " + call.name +
                            (call.place.empty() ? "" : ", ") + call.place));
  }
}

void write_case(XmlWriter& xml, const Record& record, const std::string& name,
                std::size_t budget) {
  Element test_case(xml, "testcase");
  test_case.attribute("classname", one_line(record.file))
      .attribute("name", one_line(name))
      .attribute("file", one_line(record.file))
      .attribute("time", fixed(record.seconds, 3));
  write_notes(xml, record);
  write_verdict(xml, record, budget);
  write_output(xml, "system-out", record.standard_output, budget);
  write_output(xml, "system-err", record.standard_error, budget);
}

void write_property(XmlWriter& xml, const std::string& name,
                    const std::string& value) {
  if (!value.empty()) {
    Element(xml, "property").attribute("name", name).attribute("value", value);
  }
}

void write_properties(XmlWriter& xml, const Run& run, const Record& record) {
  const Element properties(xml, "properties");
  write_property(xml, "isolation", run.isolation_level);
  write_property(xml, "seed", std::to_string(run.seed));
  write_property(xml, "sha256", record.sha256);
}

// The records of one submission follow each other.
std::span<const Record> next_submission(std::span<const Record> records) {
  std::size_t count = 1;
  while (count < records.size() && records[count].file == records[0].file) {
    ++count;
  }
  return records.first(count);
}

}  // namespace

std::string render_junit(const Run& run) {
  const std::size_t budget = text_budget(run);
  XmlWriter xml;
  UniqueNames names;
  {
    Element suites(xml, "testsuites");
    suites.attribute("name", "attngrade");
    add_totals(suites, run.records);
    std::span<const Record> rest = run.records;
    while (!rest.empty()) {
      const std::span<const Record> records = next_submission(rest);
      Element suite(xml, "testsuite");
      suite.attribute("name", one_line(records[0].file));
      add_totals(suite, records);
      write_properties(xml, run, records[0]);
      for (const Record& record : records) {
        write_case(xml, record, names.name(record), budget);
      }
      rest = rest.subspan(records.size());
    }
  }
  return xml.document();
}

}  // namespace grader
