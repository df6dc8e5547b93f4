// SPDX-License-Identifier: MIT
// What a fault does, for a terminal and for a page.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/lesson/fault_portrait.hpp"

namespace grader {

// What tests of shapes see, both matrices side by side, the lines that show it:
// labelled, 80 columns.
std::string render_text(const FaultPortrait& portrait);

// One page: a list of the faults, and an article each. Loads nothing.
std::string render_faults_html(const std::vector<Fault>& faults);

}  // namespace grader
