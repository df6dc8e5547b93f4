// SPDX-License-Identifier: MIT
// Names and signatures: does a Python callable take the arguments of a task,
// and how are they to be passed?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/loader/program.hpp"

namespace grader {

// Lower case without underscores: "scaledDot_Product" = "scaled_dot_product".
std::string normalise(std::string_view name);

// kind: the name of the kind for its masked task, attention(q, k, v, mask).
// adorned: one of the other names among words that say nothing of what is
// computed, `my_attention`, `NaiveSDPA`, `flash_attention_forward`.
enum class NameRank { none, adorned, alias, kind, exact };

// How strongly the name of a function proposes the task.
NameRank propose(std::string_view function, const Task& task);

struct Fit {
  std::vector<std::string> keywords;    // as in Match
  std::vector<FilledParameter> filled;  // as in Match
  int recognised = 0;  // arguments found by the name of a parameter
};

// Every argument of the task gets a parameter: by name where the name is known,
// else the remaining required ones in their order; an optional one only by
// name. A width (`d_k`, `d_k=64`) is filled; no other required parameter may be
// left over, and no option (`scale`) is taken for an argument.
std::optional<Fit> fit_signature(const Callable& callable, const Task& task);

// "attention(q, k, v, mask=...)", for messages; printable, bounded.
std::string signature_text(const Callable& callable);
std::string signature_text(const Task& task);  // "attention(q, k, v)"

}  // namespace grader
