// SPDX-License-Identifier: MIT
// A submission that was killed while the machine was killing for want of memory
// is run once more. Whoever kills itself does so again.
#pragma once

#include <memory>

#include "grader/worker/worker.hpp"

namespace grader {

// The same worker, whose crashes are its own: what may be the machine's twice
// (Crashed::may_be_machines) is CannotGrade where it loads, and thrown as an
// Error (environment) where it is called.
std::unique_ptr<Worker> with_second_chance(std::unique_ptr<Worker> worker);

}  // namespace grader
