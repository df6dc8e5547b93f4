// SPDX-License-Identifier: MIT
// 1 minus the points that the faults take off, at least 0; nothing for what is
// neither correct nor faulty. A structural fault that some supported rank is
// free of counts as a conditional one.
#pragma once

#include <map>
#include <string>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/diagnosis/diagnosis.hpp"
#include "grader/fixture/task.hpp"

namespace grader {

struct Rubric {
  std::map<Severity, double> by_severity{{Severity::structural, 0.5},
                                         {Severity::conditional, 0.25},
                                         {Severity::robustness, 0.1},
                                         {Severity::note, 0.0}};
  std::map<std::string, double> by_fault;  // before the severity
};

// The usual points with those of the task in their place. Throws Error (usage)
// on a word that is neither a fault nor a severity, naming file and line.
Rubric rubric_of(const Task& task);

// Sets `score`, and `score_if_mended` where it is proven: one formula with one
// fault gives all the numbers, so that all the rest is right.
void set_score(const Rubric& rubric, Diagnosis& diagnosis);

}  // namespace grader
