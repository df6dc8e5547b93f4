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
// name, and a mask, too, unless the name of the function says "mask". A width
// (`d_k`, `d_k=64`) is filled, a switch (`causal=True`) set; no other required
// parameter may be left over, and no option (`scale`) is taken for an argument.
// A function with a `q` has no projections; one that is only called `attention`
// needs known names for them.
std::optional<Fit> fit_signature(const Callable& callable, const Task& task);

// Are three or more of its required parameters named like tensors of the task?
// Then it may be an attention whatever it is called.
bool takes_tensors_of(const Callable& callable, const Task& task);

// The required parameters that keep it from the task, where the tensors of the
// task were all found by name; else empty.
std::vector<std::string> parameters_in_the_way(const Callable& callable,
                                               const Task& task);

// "attention(q, k, v, mask=...)", for messages; printable, bounded.
std::string signature_text(const Callable& callable);
std::string signature_text(const Task& task);  // "attention(q, k, v)"

}  // namespace grader
