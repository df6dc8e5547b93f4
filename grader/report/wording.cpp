// SPDX-License-Identifier: MIT
#include "grader/report/wording.hpp"

#include <algorithm>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/report/number_text.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

constexpr std::size_t longest_sentence = 600;  // bytes

std::string as_sentence(std::string text) {
  if (text.empty()) {
    return text;
  }
  // "the scores ..." but not "k.T reverses ...", which is code.
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  const std::size_t first_word = text.find_first_not_of(letters);
  if (first_word > 1 && (first_word == text.npos || text[first_word] == ' ')) {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  if (text.back() != '.' && text.back() != '?' && text.back() != '!') {
    text += '.';
  }
  return text;
}

// "does not compile:" is followed by the compiler's message in the detail; its
// first error says more than its first line.
std::string with_first_error(const Record& record) {
  constexpr std::string_view mark = "error: ";
  std::string text = record.summary;
  if (!text.ends_with(':')) {
    return text;
  }
  const std::string& detail = record.cause ? record.cause->detail : text;
  const std::size_t found = detail.find(mark);
  if (found == std::string::npos) {
    text.pop_back();
    return text;
  }
  const std::size_t start = found + mark.size();
  return text + " " + detail.substr(start, detail.find('\n', start) - start);
}

}  // namespace

std::string join(const std::vector<std::string>& words,
                 std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) {
      text += separator;
    }
    text += word;
  }
  return text;
}

std::string headline_sentence(const Record& record) {
  if (!record.summary.empty()) {
    return as_sentence(one_line(with_first_error(record), longest_sentence));
  }
  const Fault* fault =
      record.faults.empty() ? nullptr : find_fault(record.faults.front());
  return fault == nullptr ? std::string() : fault->sentence;
}

std::string law_text(const ScaleLaw& law) {
  std::vector<std::string> factors;
  const std::string constant = significant(law.constant, 4);
  if (constant != "1" || law.exponents.empty()) {
    factors.push_back(constant);
  }
  for (const auto& [axis, exponent] : law.exponents) {
    factors.push_back(axis + "^" + fixed(exponent, 3));
  }
  return join(factors, " ");
}

std::string short_finding(const Record& record) {
  if (!record.faults.empty()) {
    return join(record.faults, " + ");
  }
  const bool is_of_public_cases =
      std::ranges::count(record.notes, "public-cases-only") > 0;
  if (record.verdict == Verdict::unclassified && !is_of_public_cases) {
    const std::string& stage = record.evidence.stage;
    return stage.empty() || stage == "unknown"
               ? "wrong in a way that has no name"
               : "wrong, first in the " + one_line(stage);
  }
  if (!record.summary.empty()) {
    return one_line(with_first_error(record));
  }
  return record.cause ? one_line(record.cause->detail) : std::string();
}

}  // namespace grader
