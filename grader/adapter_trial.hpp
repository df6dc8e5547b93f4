// SPDX-License-Identifier: MIT
// What is wrong with an adapter is said before anybody is graded by it.
#pragma once

#include <memory>

#include "grader/loader/adapter.hpp"

namespace grader {

// Loads the adapter of the wanted tasks in a process without any submission.
// Null where the tasks name none, or no interpreter could run it. Throws Error
// (usage) where it cannot be loaded, or none of its functions answers a task.
std::shared_ptr<const Adapter> try_adapter(const std::vector<Task>& tasks,
                                           const LoaderContext& context);

}  // namespace grader
