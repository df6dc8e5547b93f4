// SPDX-License-Identifier: MIT
// Numbers as a lower precision stores them.
#pragma once

#include "grader/worker/outcome.hpp"
#include "reference/tensor.hpp"

namespace grader {

// The nearest number of the format, ties to even; subnormal numbers of float16
// as they are. The range of float32 and bfloat16 is left alone: where it
// matters the exponentials are bounded (softmax_variants.hpp). Beyond 65504 a
// float16 is infinite. Integers and booleans stay as they are.
double round_to(double value, DType precision);

reference::Tensor rounded(reference::Tensor tensor, DType precision);

}  // namespace grader
