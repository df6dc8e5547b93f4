// SPDX-License-Identifier: MIT
// Functions that take (B, n, H, d), the tokens before the heads, where the task
// has (B, H, n, d). Both are common; the task's numbers are the same.
#pragma once

#include "grader/worker/worker.hpp"

namespace grader {

// Exchanges the two axes in all arguments of four axes; the mask stays
// (B, H, n, m).
Call with_tokens_first(const Call& call);

// Brings outputs back into the task's layout. Told by their shape; where
// weights would have the same, the first result is the output.
void bring_heads_first(const Call& call, Returned& returned);

}  // namespace grader
