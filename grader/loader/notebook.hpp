// SPDX-License-Identifier: MIT
// The code cells of a Jupyter notebook (nbformat 3 and 4). The bytes are
// hostile: outputs, metadata and attachments are passed over without being
// kept, and nesting costs no stack. What is said twice counts as Jupyter counts
// it: the last one.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/loader/program.hpp"

namespace grader {

struct NotebookCell {
  // From 1, among the code cells in the order in which Jupyter shows them;
  // empty ones count too, markdown does not.
  int number = 0;
  std::string source;  // as it stands there: magics, NUL characters and all
};

using NotebookReading = std::variant<std::vector<NotebookCell>, LoadFailure>;

// At least one cell, or a failure of the kind "notebook".
NotebookReading read_notebook(std::string_view bytes);

// {"cells": [{"number": 1, "source": "..."}, ...]} for the Python host. Valid
// UTF-8: invalid bytes become U+FFFD.
std::string write_cells(const std::vector<NotebookCell>& cells);

}  // namespace grader
