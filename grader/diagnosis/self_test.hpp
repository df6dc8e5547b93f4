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
  doubted,    // half precision: a tie of others, said to be one
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
  bool is_pair = false;
};

struct SelfTestResult {
  std::map<Played, int> singles;
  std::map<Played, int> doubles;
  std::map<Played, int> right_forms;
  std::vector<Confusion> confusions;  // all but named, partly, unseen, right

  void add(const SelfTestResult& other);
  // No right form accused, no single fault misnamed, and at most one pair in a
  // hundred: some give the numbers of others on these very cases.
  bool is_clean() const;
};

struct SelfTestPlan {
  DType precision = DType::float64;
  Answers answers = Answers::output_and_weights;
  bool singles = true;
  int single_step = 1;  // every nth fault
  bool doubles = false;
  int double_step = 1;      // every nth pair
  bool ranks_alone = true;  // beside all together
};

// One task's cases, all of one kind and mask mode.
SelfTestResult run_self_test(const std::vector<PreparedCase>& prepared,
                             const SelfTestPlan& plan);

}  // namespace grader
