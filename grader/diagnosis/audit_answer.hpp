// SPDX-License-Identifier: MIT
// What a formula says of a case, and how far two of them are apart there.
#pragma once

#include <vector>

#include "grader/diagnosis/audit.hpp"
#include "grader/diagnosis/evidence.hpp"

namespace grader {

// Whether the case has every axis that the formula speaks of: nobody takes
// another head's rows where there are no heads.
bool is_meant_for(const Formula& formula, const Case& test_case);

struct AuditAnswer {
  bool applies = false;  // is_meant_for(); else the rest is empty
  bool is_loud = false;  // an exception, or an output of another shape
  CachedWeights weights;
  CachedOutput output;
};

AuditAnswer audit_answer(const Formula& formula, const PreparedCase& prepared);

// Measures on one case. The derived tolerance is that of diagnosis, the wider
// of what the two answers would be allowed.
class AuditRuler {
 public:
  // Both outlive this.
  AuditRuler(const PreparedCase& prepared, const AuditRule& rule);

  // In tolerances; 0 where one of them means nothing or both are loud, infinite
  // where one is loud, or NaN where the other is a number.
  double distance(const AuditAnswer& a, const AuditAnswer& b) const;

 private:
  double weights_distance(const AuditAnswer& a, const AuditAnswer& b,
                          const Tolerance& limit) const;
  double output_distance(const AuditAnswer& a, const AuditAnswer& b,
                         const Tolerance& limit) const;
  Tolerance derived(const AuditAnswer& a, const AuditAnswer& b) const;
  const std::vector<double>& sizes(const std::vector<double>& of_answer) const;

  const CaseBasis& basis_;
  const AuditRule& rule_;
  double right_output_;  // its largest magnitude
};

}  // namespace grader
