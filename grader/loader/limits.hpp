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
  std::uint64_t processes = 512;  // of a cell, threads included
  std::uint64_t files = 256;      // descriptors of a process
  // Bytes of a file; at L2 and L3 of all files together.
  std::uint64_t disk = std::uint64_t{64} << 20;
};

}  // namespace grader
