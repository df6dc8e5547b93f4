// SPDX-License-Identifier: MIT
// The evidence of a record in phrases, one a line of the report; empty where
// there is nothing to say. Safe to print.
#pragma once

#include <string>

#include "grader/report/record.hpp"

namespace grader {

std::string scale_law_text(const ScaleLaw& law);
std::string params_text(const Evidence& evidence);
std::string hypothesis_text(const Evidence& evidence);
std::string runner_up_text(const Evidence& evidence);
std::string broken_properties(const Evidence& evidence);
std::string ties_text(const Record& record);
std::string ranks_text(const Record& record);
std::string declined_text(const Record& record);
// "q_proj.weight = w_q, k_proj.weight = w_k (by name); ..."
std::string parameters_text(const Record& record);
// How close a correct submission came to a limit.
std::string margin_text(const Record& record);

}  // namespace grader
