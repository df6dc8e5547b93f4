// SPDX-License-Identifier: MIT
// What a set of cases can show: every single fault on every case, its distance
// to the right answer and to every other fault. Distances are in tolerances:
// the derived one of float32 arithmetic, or a number that a test of one's own
// compares with. The weights count as well as the output.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/formula.hpp"
#include "grader/fixture/case.hpp"

namespace grader {

struct AuditRule {
  std::optional<double> tolerance =
      {};                    // absolute, in place of the derived one
  bool output_only = false;  // as a test that never sees the weights

  // How many tolerances lie between two answers that are told apart: twice the
  // 4 that a proven fault needs, since both may be off by rounding. A test of
  // one's own has no such margin.
  double margin() const { return tolerance ? 1.0 : 8.0; }
};

struct AuditedVariant {
  std::string fault;  // "correct" for the right answer
  int number = 1;     // of the variants of this fault, from 1
  int count = 1;
  Formula formula;
};

struct AuditCell {
  bool applies = false;   // the case has the axis that the variant is about
  bool is_loud = false;   // an exception, or an output of another shape
  double distance = 0.0;  // to the right answer; infinite: NaN for a number
};

// Two variants, by their positions, and how far apart the case that tells them
// apart best puts them. Beyond `well_apart` no larger distance is looked for.
struct AuditPair {
  std::size_t first = 0;
  std::size_t second = 0;
  double distance = 0.0;
  std::size_t case_index = 0;
};
inline constexpr double well_apart = 1000.0;

struct Audit {
  AuditRule rule;
  std::vector<const Case*> cases;             // outlive this; at least one
  std::vector<AuditedVariant> variants;       // the right answer first
  std::vector<std::vector<AuditCell>> cells;  // by variant, then by case
  // Within the margin wherever both are silent, and loud on the same cases.
  // Variants of one fault are no pair.
  std::vector<AuditPair> ties;
  std::optional<AuditPair> closest;  // of the pairs that are told apart
};

// Of one kind and mask mode, at least one case. A variant that means nothing on
// any of the cases is left out.
Audit audit_cases(const std::vector<Case>& cases, const AuditRule& rule);

// Whether a submission with this variant would pass for correct.
bool passes_as_correct(const Audit& audit, std::size_t variant);

// The faults in the order of the catalogue, each with its variants.
struct AuditedFault {
  std::string id;
  std::vector<std::size_t> variants;
  std::size_t passing = 0;  // how many of them pass as correct
};
std::vector<AuditedFault> faults_of(const Audit& audit);

// The variant fails on every case that it means something on.
bool is_never_silent(const Audit& audit, std::size_t variant);

// Variants that ties join, directly or through others, the lowest first.
std::vector<std::vector<std::size_t>> classes_of(
    const Audit& audit, const std::vector<AuditPair>& ties);

}  // namespace grader
