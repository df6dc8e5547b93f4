// SPDX-License-Identifier: MIT
#include "grader/system/error.hpp"

#include <system_error>

namespace grader {

std::string errno_text(int error_number) {
  // Not strerror: several submissions are graded at a time.
  return ": " + std::generic_category().message(error_number);
}

}  // namespace grader
