// SPDX-License-Identifier: MIT
// Audits of cases as one JSON document, "attngrade-audit/1": docs/audit.md.
// A distance is a number of tolerances, "loud", "not-finite", or null where the
// variant means nothing on the case.
#pragma once

#include <string>
#include <vector>

#include "grader/report/audit_text.hpp"

namespace grader {

std::string render_audit_json(const std::vector<AuditedTask>& tasks);

}  // namespace grader
