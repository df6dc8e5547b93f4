// SPDX-License-Identifier: MIT
#include "grader/diagnosis/catalogue.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

namespace grader {

std::string_view catalogue_json();  // generated from catalogue.json

namespace {

Severity parse_severity(const std::string& word) {
  for (const Severity severity : {Severity::structural, Severity::conditional,
                                  Severity::robustness, Severity::note}) {
    if (to_string(severity) == word) {
      return severity;
    }
  }
  throw std::logic_error("catalogue.json: unknown severity " + word);
}

std::vector<Question> parse_questions(const nlohmann::json& entries) {
  std::vector<Question> questions;
  for (const auto& entry : entries) {
    questions.push_back({entry.at("question").get<std::string>(),
                         entry.at("answer").get<std::string>()});
  }
  return questions;
}

std::vector<WrongAnswer> parse_wrong_answers(const nlohmann::json& entries) {
  std::vector<WrongAnswer> wrong_answers;
  for (const auto& entry : entries) {
    wrong_answers.push_back({entry.at("answer").get<std::string>(),
                             entry.at("why").get<std::string>()});
  }
  return wrong_answers;
}

Fault parse_fault(const nlohmann::json& entry) {
  const auto text = [&entry](const char* key) {
    return entry.at(key).get<std::string>();
  };
  Fault fault;
  fault.id = text("id");
  fault.title = text("title");
  fault.sentence = text("sentence");
  fault.formula = text("formula");
  fault.severity = parse_severity(text("severity"));
  fault.explanation = text("explanation");
  fault.fix = text("fix");
  fault.hints = entry.at("hints").get<std::vector<std::string>>();
  fault.questions = parse_questions(entry.at("questions"));
  fault.wrong_answers = parse_wrong_answers(entry.at("wrong_answers"));
  return fault;
}

std::vector<Fault> read_catalogue() {
  std::vector<Fault> faults;
  for (const auto& entry : nlohmann::json::parse(catalogue_json())) {
    faults.push_back(parse_fault(entry));
  }
  return faults;
}

}  // namespace

std::string to_string(Severity severity) {
  switch (severity) {
    case Severity::structural:
      return "structural";
    case Severity::conditional:
      return "conditional";
    case Severity::robustness:
      return "robustness";
    case Severity::note:
      return "note";
  }
  return "";
}

const std::vector<Fault>& catalogue() {
  static const std::vector<Fault> faults = read_catalogue();
  return faults;
}

const Fault* find_fault(const std::string& id) {
  const std::vector<Fault>& faults = catalogue();
  const auto found = std::ranges::find(faults, id, &Fault::id);
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace grader
