// SPDX-License-Identifier: MIT
// Reads a file that is open, and that somebody may be changing.
#pragma once

#include <cstddef>
#include <string>

namespace grader {

// Up to one byte more than `size`, so that a file that grows is seen. Returns
// errno, or 0.
int read_bytes(int descriptor, std::size_t size, std::string& bytes);

}  // namespace grader
