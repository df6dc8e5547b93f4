// SPDX-License-Identifier: MIT
// The files of one folder or archive, within the limits, as they are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/submission/limits.hpp"
#include "grader/submission/submission.hpp"

namespace grader {

class Gathering {
 public:
  explicit Gathering(const ReadLimits& limits) : limits_(limits) {}

  // Counts a file or folder that is looked at, clutter or not.
  std::optional<Problem> look_at(std::string_view name);
  // How many folders may be above a file.
  std::optional<Problem> check_depth(std::string_view name) const;
  // What is passed over; the first is named where nothing else is found.
  void ignore(std::string_view name);

  // One byte more than add() would take: so many are enough to tell.
  std::uint64_t most_bytes(std::string_view name) const;
  std::optional<Problem> add(SourceFile file);

  // Empty afterwards. A problem where there is no file.
  FilesOrProblem finish();

 private:
  ReadLimits limits_;
  std::vector<SourceFile> files_;
  std::uint64_t bytes_ = 0;
  std::size_t entries_ = 0;
  std::string ignored_;
};

}  // namespace grader
