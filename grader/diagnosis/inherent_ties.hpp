// SPDX-License-Identifier: MIT
// Faults that give the same numbers on every input, or on every input that a
// task of this kind can have: no case tells them apart, so that an audit
// explains them and asks for nothing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/diagnosis/audit.hpp"

namespace grader {

// Why the tie is inherent; empty: another case could break it.
std::string inherent_reason(const Audit& audit, const AuditPair& tie);

// The ids of all such ties that are known, those of the output alone included.
std::vector<std::pair<std::string, std::string>> inherent_pairs();

}  // namespace grader
