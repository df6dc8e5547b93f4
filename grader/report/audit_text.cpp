// SPDX-License-Identifier: MIT
#include "grader/report/audit_text.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "grader/diagnosis/coincidence.hpp"
#include "grader/diagnosis/inherent_ties.hpp"
#include "grader/diagnosis/params.hpp"
#include "grader/diagnosis/size_warnings.hpp"
#include "grader/report/audit_matrix.hpp"
#include "grader/report/layout.hpp"
#include "grader/report/number_text.hpp"

namespace grader {
namespace {

std::string count_text(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string paragraph(const std::string& text, std::size_t indent) {
  std::string result;
  for (const std::string& line : wrap(text, audit_width - indent)) {
    result += std::string(indent, ' ') + line + "\n";
  }
  return result;
}

// "fill -10, in place of the score", or which of how many.
std::string form_text(const AuditedVariant& variant) {
  std::string text;
  for (const auto& [name, value] : describe_params(variant.formula)) {
    const bool is_number =
        !value.empty() &&
        value.find_first_not_of("0123456789.e+-") == std::string::npos;
    text += text.empty() ? "" : ", ";
    text += is_number ? name + " " : "";
    text += value;
  }
  return text.empty() ? "form " + std::to_string(variant.number) + " of " +
                            std::to_string(variant.count)
                      : text;
}

// "scale-by-dk", "softmax-relu (form 2 of 8)", "heads-mixed (3 of 20 forms)".
std::string name_of(const Audit& audit, const std::set<std::size_t>& forms) {
  const AuditedVariant& one = audit.variants[*forms.begin()];
  const std::string count = std::to_string(one.count);
  if (static_cast<int>(forms.size()) == one.count) {
    return one.fault;
  }
  return one.fault + " (" +
         (forms.size() == 1
              ? form_text(one)
              : std::to_string(forms.size()) + " of " + count + " forms") +
         ")";
}

// Variants by fault, in their order.
std::vector<std::set<std::size_t>> by_fault(
    const Audit& audit, const std::vector<std::size_t>& variants) {
  std::vector<std::set<std::size_t>> result;
  for (const std::size_t variant : variants) {
    const auto known = std::ranges::find_if(result, [&](const auto& forms) {
      return audit.variants[*forms.begin()].fault ==
             audit.variants[variant].fault;
    });
    if (known == result.end()) {
      result.push_back({variant});
    } else {
      known->insert(variant);
    }
  }
  return result;
}

std::string equation(const Audit& audit,
                     const std::vector<std::size_t>& variants) {
  std::string text;
  for (const auto& forms : by_fault(audit, variants)) {
    text += (text.empty() ? "" : " = ") + name_of(audit, forms);
  }
  return text;
}

// Ties with the same two faults are told once.
std::string inherent_text(const Audit& audit) {
  std::map<std::string, std::vector<std::size_t>> variants;
  std::map<std::string, std::string> reasons;
  std::vector<std::string> order;
  for (const AuditPair& tie : audit.ties) {
    const std::string reason = inherent_reason(audit, tie);
    if (reason.empty()) {
      continue;
    }
    const std::string key = audit.variants[tie.first].fault + "=" +
                            audit.variants[tie.second].fault;
    if (reasons.emplace(key, reason).second) {
      order.push_back(key);
    }
    for (const std::size_t variant : {tie.first, tie.second}) {
      if (std::ranges::count(variants[key], variant) == 0) {
        variants[key].push_back(variant);
      }
    }
  }
  std::string text;
  for (const std::string& key : order) {
    text += paragraph(equation(audit, variants[key]), 4) +
            paragraph(reasons[key], 8);
  }
  return text.empty() ? "" : "  The same on every input\n" + text;
}

std::string reason_text(const Audit& audit, const AuditPair& tie) {
  const std::string reason = coincidence(audit, tie);
  return reason.empty() ? "no case makes a difference" : reason;
}

// The faults that pass as correct, those of one reason together.
std::string passing_text(const Audit& audit,
                         const std::vector<AuditPair>& findings) {
  std::map<std::string, std::vector<std::size_t>> by_reason;
  std::vector<std::string> order;
  std::vector<std::size_t> all;
  for (const AuditPair& tie : findings) {
    if (tie.first == 0) {
      auto& variants = by_reason[reason_text(audit, tie)];
      if (variants.empty()) {
        order.push_back(reason_text(audit, tie));
      }
      variants.push_back(tie.second);
      all.push_back(tie.second);
    }
  }
  if (all.empty()) {
    return "  Passes as correct: none\n";
  }
  std::string text =
      "  Passes as correct: " + std::to_string(by_fault(audit, all).size()) +
      " of " + count_text(faults_of(audit).size(), "fault") + "\n";
  for (const std::string& reason : order) {
    std::string names;
    for (const auto& forms : by_fault(audit, by_reason[reason])) {
      names += (names.empty() ? "" : ", ") + name_of(audit, forms);
    }
    text += paragraph(names, 4) + paragraph(reason, 8);
  }
  return text;
}

// Why the members of a class are like its first, each reason once.
std::string class_reasons(const Audit& audit,
                          const std::vector<AuditPair>& findings,
                          const std::vector<std::size_t>& members) {
  std::string text;
  std::set<std::string> told;
  for (const AuditPair& tie : findings) {
    const std::string reason = reason_text(audit, tie);
    if (tie.first == members.front() && told.insert(reason).second) {
      text += paragraph(reason, 8);
    }
  }
  return text;
}

// Pairs of faults, however many of their forms; the right answer is none.
std::set<std::pair<std::string, std::string>> pairs_of(
    const Audit& audit, const std::vector<AuditPair>& findings) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const AuditPair& tie : findings) {
    if (tie.first != 0) {
      const auto& [low, high] = std::minmax(audit.variants[tie.first].fault,
                                            audit.variants[tie.second].fault);
      pairs.emplace(low, high);
    }
  }
  return pairs;
}

std::size_t count_passing(const Audit& audit,
                          const std::vector<AuditPair>& findings) {
  std::set<std::string> faults;
  for (const AuditPair& tie : findings) {
    if (tie.first == 0) {
      faults.insert(audit.variants[tie.second].fault);
    }
  }
  return faults.size();
}

std::string distance_text(const AuditPair& pair) {
  return pair.distance >= well_apart ? "> " + significant(well_apart, 4)
                                     : significant(pair.distance, 3);
}

std::string classes_text(const Audit& audit,
                         const std::vector<AuditPair>& findings) {
  std::string text;
  for (const auto& members : classes_of(audit, findings)) {
    if (members.front() != 0) {
      text += paragraph(equation(audit, members), 4) +
              class_reasons(audit, findings, members);
    }
  }
  return text.empty()
             ? "  Not told apart: none\n"
             : "  Not told apart: " +
                   count_text(pairs_of(audit, findings).size(), "pair") + "\n" +
                   text;
}

std::string closest_text(const Audit& audit) {
  if (!audit.closest) {
    return "";
  }
  const AuditPair& pair = *audit.closest;
  const auto name = [&](std::size_t variant) {
    return name_of(audit, {variant});
  };
  return paragraph("Closest told apart: " + name(pair.first) + " and " +
                       name(pair.second) + ", " + distance_text(pair) +
                       " tolerances apart in " +
                       audit.cases[pair.case_index]->name,
                   2);
}

std::string warnings_text(const Audit& audit) {
  std::string text;
  for (const std::string& warning : size_warnings(audit.cases)) {
    text += paragraph("Warning: " + warning, 2);
  }
  return text;
}

}  // namespace

std::vector<AuditPair> findings_of(const Audit& audit) {
  std::vector<AuditPair> findings;
  std::ranges::copy_if(audit.ties, std::back_inserter(findings),
                       [&](const AuditPair& tie) {
                         return inherent_reason(audit, tie).empty();
                       });
  return findings;
}

std::string render_audit(const AuditedTask& task, bool with_matrix) {
  const Audit& audit = task.audit;
  const std::vector<AuditPair> findings = findings_of(audit);
  std::string text = task.name + ": " + count_text(audit.cases.size(), "case") +
                     ", " + count_text(faults_of(audit).size(), "fault") +
                     " in " + count_text(audit.variants.size() - 1, "form") +
                     "\n";
  text +=
      warnings_text(audit) + (with_matrix ? render_audit_matrix(audit) : "");
  return text + passing_text(audit, findings) + classes_text(audit, findings) +
         inherent_text(audit) + closest_text(audit);
}

std::string render_audit_summary(const std::vector<AuditedTask>& tasks) {
  std::string text =
      pad_right("", 36) + "cases  faults    pass   pairs   closest\n";
  for (const AuditedTask& task : tasks) {
    const Audit& audit = task.audit;
    const std::vector<AuditPair> findings = findings_of(audit);
    const std::string closest =
        audit.closest ? distance_text(*audit.closest) : "-";
    text += pad_right(shorten_middle(task.name, 34), 34) +
            pad_left(std::to_string(audit.cases.size()), 7) +
            pad_left(std::to_string(faults_of(audit).size()), 8) +
            pad_left(std::to_string(count_passing(audit, findings)), 8) +
            pad_left(std::to_string(pairs_of(audit, findings).size()), 8) +
            pad_left(closest, 10) + "\n";
  }
  return text;
}

}  // namespace grader
