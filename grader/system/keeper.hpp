// SPDX-License-Identifier: MIT
// What the keeper of a cell (grader/isolation/cell) and the grader say to each
// other. The keeper is a program that runs another one in a closed room, the
// inmate; it is trusted, the inmate is not, and never holds this descriptor.
#pragma once

#include <array>
#include <cstdint>

namespace grader {

// In the keeper: a socket of packets, each one KeeperReport.
constexpr int keeper_channel = 4;

enum class KeeperWord : std::uint32_t {
  failed,   // there is no cell, or no program in it: `text` says why
  bounded,  // with it comes the open folder of a control group
  started,  // the inmate runs: `inmate`, or the sender of the packet
  ended,    // the inmate, by itself; it is not reaped before the cell is closed
  closed,   // nothing of the cell is left: the last word
};

struct KeeperReport {
  KeeperWord word = KeeperWord::failed;
  std::int32_t inmate = 0;  // 0: in another namespace, where it has no name
  std::int32_t signal = 0;
  std::int32_t exit_status = 0;
  std::int32_t out_of_memory = 0;   // closed: kills by the cell's memory limit
  std::array<char, 512> text = {};  // ends in 0
};

}  // namespace grader
