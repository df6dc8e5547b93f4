// SPDX-License-Identifier: MIT
// A folder of C and C++ without a build file that is obeyed: which of its files
// are compiled is decided here, by names and texts alone. Both are hostile.
#pragma once

#include <string>
#include <vector>

#include "grader/submission/submission.hpp"

namespace grader {

bool is_c_source(const std::string& name);       // .c
bool is_native_source(const std::string& name);  // .c, .cpp, .cc, .cxx
bool is_shared_library(const std::string& name);

// Is there a source or a shared library among them?
bool is_native(const std::vector<SourceFile>& files);

// The names of what is compiled together, sorted: sources, but for tests
// (is_test_file), and files that another one includes, itself or by headers,
// as far as can be told without a preprocessor. Where only tests are left, the
// tests; where nothing else speaks of attention, tests that do are sources, if
// none of them is a test by more than its name.
std::vector<std::string> native_sources(const std::vector<SourceFile>& files);

// The sources that are not compiled by themselves, each with the reason, for a
// message: "b.c (another file includes it), run_test.c (a test, by its name)".
// `compiled`: what native_sources() chose.
std::string left_aside(const std::vector<SourceFile>& files,
                       const std::vector<std::string>& compiled);

// "." and the folders of headers, for `#include "attention.h"` from elsewhere.
std::vector<std::string> header_folders(const std::vector<SourceFile>& files);

// Those of `names` whose text has a `main(`: for a message, not for a decision.
std::vector<std::string> with_main(const std::vector<SourceFile>& files,
                                   const std::vector<std::string>& names);

}  // namespace grader
