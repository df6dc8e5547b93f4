// SPDX-License-Identifier: MIT
#include "grader/diagnosis/diagnosis.hpp"

namespace grader {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::correct:
      return "correct";
    case Verdict::faulty:
      return "faulty";
    case Verdict::unclassified:
      return "unclassified";
    case Verdict::bad_output:
      return "bad-output";
    case Verdict::load_error:
      return "load-error";
    case Verdict::crashed:
      return "crashed";
    case Verdict::timed_out:
      return "timed-out";
    case Verdict::out_of_memory:
      return "out-of-memory";
    case Verdict::limit_exceeded:
      return "limit-exceeded";
    case Verdict::forbidden:
      return "forbidden";
    case Verdict::rejected:
      return "rejected";
    case Verdict::not_graded:
      return "not-graded";
  }
  return "not-graded";
}

}  // namespace grader
