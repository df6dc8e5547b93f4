// SPDX-License-Identifier: MIT
// Answers that a library has computed, where the task objects to that.
#pragma once

#include "grader/fixture/task.hpp"
#include "grader/loader/program.hpp"
#include "grader/report/record.hpp"
#include "grader/worker/observe.hpp"

namespace grader {

// Lists the calls, those that were seen and those that only stand in the text,
// and makes notes or faults of them, as the task says. A call that was not seen
// counts only where each call of the function comes to it. An answer that is
// neither right nor explained gets no further fault, but a note.
void judge_library_calls(const Task& task, const Program& program,
                         const Match& match, const Observations& observations,
                         Record& record);

}  // namespace grader
