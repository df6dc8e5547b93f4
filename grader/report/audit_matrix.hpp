// SPDX-License-Identifier: MIT
// Faults by cases, a sign a cell, in at most 80 columns: docs/audit.md.
#pragma once

#include <cstddef>
#include <string>

#include "grader/diagnosis/audit.hpp"

namespace grader {

inline constexpr std::size_t audit_width = 80;

// How the matrix is read; once a run.
std::string audit_legend(const AuditRule& rule);

// The cases with their numbers, then the matrix, in blocks of as many cases as
// a line holds.
std::string render_audit_matrix(const Audit& audit);

}  // namespace grader
