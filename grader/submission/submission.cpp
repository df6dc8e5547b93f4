// SPDX-License-Identifier: MIT
#include "grader/submission/submission.hpp"

namespace grader {

std::string to_string(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::unsupported:
      return "unsupported";
    case ProblemKind::rejected:
      return "rejected";
    case ProblemKind::unreadable:
      return "unreadable";
    case ProblemKind::empty:
      return "empty";
  }
  return "";
}

}  // namespace grader
