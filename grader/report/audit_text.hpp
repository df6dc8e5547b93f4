// SPDX-License-Identifier: MIT
// An audit of cases as text of at most 80 columns.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/audit.hpp"

namespace grader {

struct AuditedTask {
  std::string name;
  Audit audit;
};

// Ties that another case could break, variants that pass as correct included.
std::vector<AuditPair> findings_of(const Audit& audit);

std::string render_audit(const AuditedTask& task, bool with_matrix);

// A line a task: how many faults pass as correct in some form, how many pairs
// of faults are not told apart, how many tolerances the closest others are.
std::string render_audit_summary(const std::vector<AuditedTask>& tasks);

}  // namespace grader
