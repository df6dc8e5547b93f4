// SPDX-License-Identifier: MIT
// The texts of the faults: data, read from catalogue.json (embedded in the
// program). The formulas are in hypotheses.cpp; a test holds the two together.
#pragma once

#include <string>
#include <vector>

namespace grader {

enum class Severity { structural, conditional, robustness, note };

// For the interviewer to ask next.
struct Question {
  std::string question;
  std::string answer;
};

// What the interviewer may hear from somebody who does not understand.
struct WrongAnswer {
  std::string answer;
  std::string why;  // it is wrong
};

struct Fault {
  std::string id;        // "scale-by-dk"
  std::string title;     // "divides by d_k instead of sqrt(d_k)"
  std::string sentence;  // "The scores are divided by d_k, not by sqrt(d_k)."
  std::string formula;   // "W = softmax(q k^T / d_k)"
  Severity severity = Severity::structural;
  std::string explanation;         // why it is wrong and how it shows
  std::string fix;                 // the line of code that mends it
  std::vector<std::string> hints;  // three steps, from vague to plain
  std::vector<Question> questions;
  std::vector<WrongAnswer> wrong_answers;  // commonest first
};

std::string to_string(Severity severity);

const std::vector<Fault>& catalogue();  // in the order of the contract
// nullptr when there is none; the catalogue lives as long as the program.
const Fault* find_fault(const std::string& id);

}  // namespace grader
