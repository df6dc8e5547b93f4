// SPDX-License-Identifier: MIT
// What the program of a cell is when the grader tries one: it attempts what a
// submission must not be able to do, and says what came of it.
#pragma once

namespace grader {

// attngrade-cell --probe FILE PID: a file of the grader and the grader itself.
// Prints "NAME held" or "NAME open" a line, and ends by trying to become
// another program.
int run_probe(int argc, char** argv);

}  // namespace grader
