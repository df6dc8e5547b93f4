// SPDX-License-Identifier: MIT
// A class that builds its own projections, as the Python host has studied it:
// what it computes, how it is built, and which of its parameters hold the
// weights of the task. See worker/protocol.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/fixture/class_form.hpp"
#include "grader/fixture/task.hpp"

namespace grader {

// A switch: it computes the causal task or the plain one, as it is told.
enum class Causality { never, always, by_switch };

enum class MaskUse { none, optional, required };

// How a parameter was found to hold a weight of the task.
struct ModuleParameter {
  std::string name;   // "q_proj.weight"
  std::string holds;  // "w_q", "w_q w_k w_v"
  std::string by;     // "name", "shape", "use", "data flow", "task"
  // "out-in", transposed, as torch's layers store it, "in-out", or empty where
  // that is not known, or a convention.
  std::string orientation{};

  bool operator==(const ModuleParameter&) const = default;
};

// What can be read in more than one way, all of them right. The first option is
// the usual one; `says` is for people, and may be empty there.
struct ConventionOption {
  std::string word;  // of a-z, 0-9, '-', '_' and ','
  std::string says;  // "the fused projection holds k, q, v"
};

struct Convention {
  std::string name;                       // "order", spelled as a word
  std::vector<ConventionOption> options;  // at least one
};

// Chosen words by the names of their conventions; the first option of those
// that are not in it.
using ModuleReading = std::map<std::string, std::string>;

struct ModuleStudy {
  std::optional<Kind>
      kind;  // a projected one; may be absent where there is a problem
  std::string problem{};  // why it cannot be graded, for people
  // "constructor" (the candidate's), "unsupported" or "environment".
  std::string problem_kind{};
  Widths widths = Widths::free;
  std::int64_t d_model = 0;  // sizes that the class itself fixes, 0: any
  std::int64_t heads = 0;
  Causality causal = Causality::never;
  MaskUse mask = MaskUse::none;
  bool takes_no_mask = true;  // None in its place, where it is required, too
  std::vector<std::string>
      mask_forms{};      // "bool", "int", "additive", "lengths"
  std::string filled{};  // "d_model = C, num_heads = H, dropout = 0"
  std::vector<ModuleParameter> parameters{};
  // By names, data flow or the task file, not guessed.
  bool settled = false;
  // Some are bare arrays, not layers: which way round is the class's affair.
  bool raw_parameters = false;
  std::vector<Convention> conventions{};
  std::vector<std::string> remarks{};
  std::vector<std::string> notes{};  // ids: "sublayer-included"
};

// What the reading says beside what is usual, for people.
std::vector<std::string> unusual_readings(const ModuleStudy& study,
                                          const ModuleReading& reading);

}  // namespace grader
