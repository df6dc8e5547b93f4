// SPDX-License-Identifier: MIT
#include "grader/submission/limits.hpp"

namespace grader {

std::string size_text(std::uint64_t bytes) {
  constexpr unsigned bits_of_a_mebibyte = 20;
  const std::uint64_t mebibytes = bytes >> bits_of_a_mebibyte;
  return mebibytes << bits_of_a_mebibyte == bytes
             ? std::to_string(mebibytes) + " MiB"
             : std::to_string(bytes) + " bytes";
}

}  // namespace grader
