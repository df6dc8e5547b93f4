// SPDX-License-Identifier: MIT
// The phrases that terminal and JUnit report share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/report/record.hpp"

namespace grader {

std::string join(const std::vector<std::string>& words,
                 std::string_view separator);

// "The scores are divided by d_k, not by sqrt(d_k)." Safe to print.
std::string headline_sentence(const Record& record);

// "d_k^-1.000", "0.125", "2 m^-0.500": what the scores are multiplied by.
std::string law_text(const ScaleLaw& law);

// "scale-by-dk", or the summary in at most one line, where no fault is named.
std::string short_finding(const Record& record);

}  // namespace grader
