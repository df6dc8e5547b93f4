// SPDX-License-Identifier: MIT
// The words around a function's name that say who wrote it, with what or how
// well, and nothing of what it computes.
#pragma once

#include <string>
#include <string_view>

namespace grader {

// "attention" for "my_attention_v2", "NumpyAttention" and
// "flash_attention_forward": lower case, without underscores. Empty where there
// is nothing to leave out, or nothing is left.
std::string without_adornments(std::string_view name);

}  // namespace grader
