// SPDX-License-Identifier: MIT
// Why cases cannot tell two faults apart: what is equal, missing or too small
// in all of them.
#pragma once

#include <string>

#include "grader/diagnosis/audit.hpp"

namespace grader {

// "m = d_k in every case"; empty where no reason is known.
std::string coincidence(const Audit& audit, const AuditPair& tie);

}  // namespace grader
