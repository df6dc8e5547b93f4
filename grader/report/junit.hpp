// SPDX-License-Identifier: MIT
// A run as JUnit XML, in the plain form that GitLab, Jenkins and the usual
// GitHub actions read: a suite a submission, a test case a result. A failure
// is the candidate's, an error is the grader's. The document stays below
// GitLab's 30 MB whatever the submissions print.
#pragma once

#include <string>

#include "grader/report/record.hpp"

namespace grader {

std::string render_junit(const Run& run);

}  // namespace grader
