// SPDX-License-Identifier: MIT
#include "grader/diagnosis/audit.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "grader/diagnosis/audit_answer.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {
namespace {

std::vector<AuditedVariant> variants_for(const std::vector<Case>& cases) {
  std::vector<AuditedVariant> variants{{.fault = "correct", .formula = {}}};
  std::map<std::string, int> counts;
  const HypothesisSet& set = hypotheses_of(cases.front());
  for (const Hypothesis& hypothesis : set.singles) {
    const bool has_case =
        std::ranges::any_of(cases, [&](const Case& test_case) {
          return is_meant_for(hypothesis.formula, test_case);
        });
    if (has_case) {
      const std::string& fault = hypothesis.faults.front();
      variants.push_back({.fault = fault,
                          .number = ++counts[fault],
                          .formula = hypothesis.formula});
    }
  }
  for (AuditedVariant& variant : variants) {
    variant.count = std::max(1, counts[variant.fault]);
  }
  return variants;
}

// Every pair of variants of different faults, apart as far as the cases so far
// put them.
class Pairs {
 public:
  explicit Pairs(const std::vector<AuditedVariant>& variants)
      : variants_(variants) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      for (std::size_t j = i + 1; j < variants.size(); ++j) {
        if (variants[i].fault != variants[j].fault) {
          pairs_.push_back({.first = i, .second = j});
        }
      }
    }
  }

  void add_case(std::size_t index, const std::vector<AuditAnswer>& answers,
                const AuditRuler& ruler) {
    for (AuditPair& pair : pairs_) {
      if (pair.distance >= well_apart ||
          variants_[pair.first].formula == variants_[pair.second].formula) {
        continue;
      }
      const double distance =
          ruler.distance(answers[pair.first], answers[pair.second]);
      if (distance > pair.distance) {
        pair.distance = distance;
        pair.case_index = index;
      }
    }
  }

  void settle(double margin, Audit& audit) const {
    for (const AuditPair& pair : pairs_) {
      if (pair.distance <= margin) {
        audit.ties.push_back(pair);
      } else if (!audit.closest || pair.distance < audit.closest->distance) {
        audit.closest = pair;
      }
    }
  }

 private:
  const std::vector<AuditedVariant>& variants_;
  std::vector<AuditPair> pairs_;
};

std::vector<AuditAnswer> answers_of(const std::vector<AuditedVariant>& variants,
                                    const PreparedCase& prepared) {
  std::vector<AuditAnswer> answers;
  answers.reserve(variants.size());
  for (const AuditedVariant& variant : variants) {
    answers.push_back(audit_answer(variant.formula, prepared));
  }
  return answers;
}

void add_column(const std::vector<AuditAnswer>& answers,
                const AuditRuler& ruler, Audit& audit) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    audit.cells[i].push_back(
        {.applies = answers[i].applies,
         .is_loud = answers[i].is_loud,
         .distance = ruler.distance(answers[i], answers.front())});
  }
}

}  // namespace

Audit audit_cases(const std::vector<Case>& cases, const AuditRule& rule) {
  Audit audit;
  audit.rule = rule;
  audit.variants = variants_for(cases);
  audit.cells.resize(audit.variants.size());
  Pairs pairs(audit.variants);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    audit.cases.push_back(&cases[i]);
    const PreparedCase prepared{.test_case = &cases[i],
                                .inputs = make_inputs(cases[i]),
                                .basis = make_basis(cases[i]),
                                .predictions = nullptr};
    const std::vector<AuditAnswer> answers =
        answers_of(audit.variants, prepared);
    const AuditRuler ruler(prepared, rule);
    add_column(answers, ruler, audit);
    pairs.add_case(i, answers, ruler);
  }
  pairs.settle(rule.margin(), audit);
  return audit;
}

bool passes_as_correct(const Audit& audit, std::size_t variant) {
  return std::ranges::any_of(audit.ties, [&](const AuditPair& tie) {
    return tie.first == 0 && tie.second == variant;
  });
}

std::vector<AuditedFault> faults_of(const Audit& audit) {
  std::vector<AuditedFault> faults;
  for (std::size_t i = 1; i < audit.variants.size(); ++i) {
    const std::string& id = audit.variants[i].fault;
    auto fault = std::ranges::find(faults, id, &AuditedFault::id);
    if (fault == faults.end()) {
      fault = faults.insert(faults.end(), {.id = id, .variants = {}});
    }
    fault->variants.push_back(i);
    if (passes_as_correct(audit, i)) {
      ++fault->passing;
    }
  }
  return faults;
}

bool is_never_silent(const Audit& audit, std::size_t variant) {
  return std::ranges::all_of(audit.cells[variant], [](const AuditCell& cell) {
    return !cell.applies || cell.is_loud;
  });
}

std::vector<std::vector<std::size_t>> classes_of(
    const Audit& audit, const std::vector<AuditPair>& ties) {
  std::vector<std::size_t> lowest(audit.variants.size());
  std::iota(lowest.begin(), lowest.end(), std::size_t{0});
  for (const AuditPair& tie : ties) {
    const auto [low, high] =
        std::minmax({lowest[tie.first], lowest[tie.second]});
    std::ranges::replace(lowest, high, low);
  }
  std::map<std::size_t, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < lowest.size(); ++i) {
    classes[lowest[i]].push_back(i);
  }
  std::vector<std::vector<std::size_t>> result;
  for (const auto& [low, members] : classes) {
    if (members.size() > 1) {
      result.push_back(members);
    }
  }
  return result;
}

}  // namespace grader
