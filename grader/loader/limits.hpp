// SPDX-License-Identifier: MIT
// What a submission may use.
#pragma once

#include <chrono>
#include <cstdint>

namespace grader {

struct Limits {
  std::chrono::duration<double> cpu{10.0};   // --time-limit, all calls together
  std::chrono::duration<double> wall{30.0};  // 3 times that
  std::chrono::duration<double> idle{5.0};   // a call without CPU time has hung
  std::chrono::duration<double> start{60.0};       // interpreter and import
  std::uint64_t memory = std::uint64_t{1} << 30;   // above the baseline, bytes
  std::uint64_t output = std::uint64_t{16} << 20;  // stdout + stderr, bytes
};

}  // namespace grader
