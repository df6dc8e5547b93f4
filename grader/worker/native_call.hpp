// SPDX-License-Identifier: MIT
// One call of a C function of attngrade.h with arrays from a request.
#pragma once

#include "grader/worker/safetensors.hpp"

namespace grader {

// Runs it twice on inputs of its own, with a buffer for the weights and with
// NULL; what was never written is told by a canary, a NaN of its own. The
// answer to the request, without its id.
Message call_native(void* function, const Message& request);

}  // namespace grader
