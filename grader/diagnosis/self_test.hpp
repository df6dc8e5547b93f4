// SPDX-License-Identifier: MIT
// The diagnosis put to the test: every fault, pairs of faults and every right
// form, played by a stand-in and judged as a submission would be.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/diagnosis/evidence.hpp"
#include "grader/diagnosis/hypotheses.hpp"
#include "grader/diagnosis/pretend.hpp"

namespace grader {

enum class Played {
  named,      // the fault, or a tie that lists it
  partly,     // fewer of the faults: they alone give these numbers
  unseen,     // called correct, and no case shows the fault at this precision
  undecided,  // not explained
  misnamed,   // another fault
  missed,     // called correct, though a case shows it
  right,      // a right form, called correct
  accused,    // a right form, called faulty
};

// One that did not go as it should, or that went another way.
struct Confusion {
  std::string played;  // "scale-by-dk", or a right form's name
  std::string answer;  // "scale-missing", "unclassified"
  std::string detail;  // the ranks, the precision
  Played outcome = Played::named;
};

struct SelfTestResult {
  std::map<Played, int> singles;
  std::map<Played, int> doubles;
  std::map<Played, int> right_forms;
  std::vector<Confusion> confusions;  // all but named, partly, unseen, right

  void add(const SelfTestResult& other);
  // A right form accused, a fault misnamed in float64 or float32, ...
  bool is_clean() const;
};

struct SelfTestPlan {
  DType precision = DType::float64;
  Answers answers = Answers::output_and_weights;
  bool doubles = false;
  int double_step = 1;  // every nth pair
};

// One task's cases, all of one kind and mask mode; all ranks together, then
// each by itself.
SelfTestResult run_self_test(const std::vector<PreparedCase>& prepared,
                             const SelfTestPlan& plan);

}  // namespace grader
