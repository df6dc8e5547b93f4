// SPDX-License-Identifier: MIT
// What stops the grader. What a submission does is data and is never thrown.
#pragma once

#include <stdexcept>
#include <string>

namespace grader {

enum class Blame { usage, environment };  // exit code 2, exit code 3

// The text reads "cannot DO thing PATH: cause", with the next step where there
// is one.
class Error : public std::runtime_error {
 public:
  Error(Blame blame, const std::string& text)
      : std::runtime_error(text), blame_(blame) {}
  Blame blame() const { return blame_; }

 private:
  Blame blame_;
};

// ": No such file or directory" and the like for an errno value.
std::string errno_text(int error_number);

}  // namespace grader
