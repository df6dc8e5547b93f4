// SPDX-License-Identifier: MIT
// Which width to divide by where there are heads: that of the model, or that of
// a head. heads_lesson.py computes the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/lesson/score_figures.hpp"

namespace grader {

struct HeadsSettings {
  std::int64_t d_model = 512;  // a multiple of the heads
  std::int64_t heads = 8;
  std::int64_t n = 16;  // queries, and keys
  std::int64_t draws = 200;
  std::uint64_t seed = 0;
};

struct HeadsOutcome {
  std::string name;  // "1/sqrt(d_model)", "1/sqrt(d_k)", "1/d_k"
  double factor = 1.0;
  ScoreFigures figures;
};

// Of scores / sqrt(d_model).
struct HeadCount {
  std::int64_t heads = 1;
  Estimate deviation;
};

struct HeadsStudy {
  HeadsSettings settings;
  std::vector<HeadsOutcome> scales;
  std::vector<HeadCount>
      by_heads;  // 1, 2, 4, ... as long as they divide d_model
};

// draws and n at least 2.
HeadsStudy study_heads(const HeadsSettings& settings);

}  // namespace grader
