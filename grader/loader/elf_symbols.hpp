// SPDX-License-Identifier: MIT
// A look into a shared library without loading it: is it one for this machine,
// and which functions does it export? The bytes are hostile: every offset and
// count is checked, and what does not add up ends the reading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

// Why the bytes are no shared library for this machine, or empty.
std::string library_problem(std::string_view bytes);

// Names of the functions in .dynsym that are defined and visible, in the file's
// order, as the linker knows them (C++ names are mangled). At most 10000, none
// longer than 1024 bytes.
std::vector<std::string> exported_functions(std::string_view bytes);

}  // namespace grader
