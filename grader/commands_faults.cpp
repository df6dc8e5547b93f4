// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iostream>

#include "grader/commands.hpp"
#include "grader/destination.hpp"
#include "grader/diagnosis/catalogue.hpp"
#include "grader/lesson/fault_text.hpp"
#include "grader/report/layout.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

constexpr Columns fields{2, 12, 80};

void print_list() {
  constexpr Columns list{2, 30, 80};
  for (const Fault& fault : catalogue()) {
    std::cout << labelled(fault.id, fault.title, list);
  }
  std::cout << "\nOne of them in full: attngrade faults ID\n";
}

void print_code(const std::string& code) {
  std::string_view label = "Fix";
  for (std::string_view rest = code; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::cout << labelled(label, rest.substr(0, end), fields);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    label = "";
  }
}

void print_fault(const Fault& fault) {
  std::cout << fault.id << " · " << to_string(fault.severity) << "\n\n  "
            << fault.sentence << "\n\n"
            << labelled("Formula", fault.formula, fields);
  print_code(fault.fix);
  std::cout << "\n";
  for (const std::string& line : wrap(fault.explanation, 78)) {
    std::cout << "  " << line << "\n";
  }
  if (const auto portrait = portray(fault.id)) {
    std::cout << "\n" << render_text(*portrait);
  }
  std::cout << "\n";
  for (std::size_t i = 0; i < fault.hints.size(); ++i) {
    std::cout << labelled("Hint " + std::to_string(i + 1), fault.hints[i],
                          fields);
  }
  for (const Question& question : fault.questions) {
    std::cout << "\n"
              << labelled("Ask", question.question, fields)
              << labelled("Expect", question.answer, fields);
  }
  for (const WrongAnswer& wrong : fault.wrong_answers) {
    std::cout << "\n"
              << labelled("If you hear", wrong.answer, fields)
              << labelled("Reply", wrong.why, fields);
  }
}

[[noreturn]] void complain(const std::string& id) {
  std::vector<std::string> known;
  for (const Fault& fault : catalogue()) {
    known.push_back(fault.id);
  }
  std::string text =
      "cannot explain " + one_line(id) + ": there is no such fault";
  if (const auto suggestion = did_you_mean(id, known)) {
    text += "; did you mean " + *suggestion + "?";
  } else {
    text += "; attngrade faults lists them";
  }
  throw Error(Blame::usage, text);
}

}  // namespace

int run_faults(const Options& options) {
  const Fault* fault = find_fault(options.fault);
  if (fault == nullptr && !options.fault.empty()) {
    complain(options.fault);
  }
  Destination html(options.html);
  html.write([fault] {
    return render_faults_html(fault == nullptr ? catalogue()
                                               : std::vector<Fault>{*fault});
  });
  if (!options.html.empty()) {
    return exit_success;
  }
  if (fault == nullptr) {
    print_list();
  } else {
    print_fault(*fault);
  }
  return exit_success;
}

}  // namespace grader
