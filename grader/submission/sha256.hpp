// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4) of bytes in memory.
#pragma once

#include <string>
#include <string_view>

namespace grader {

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace grader
