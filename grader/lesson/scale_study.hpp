// SPDX-License-Identifier: MIT
// What dividing by sqrt(d_k) does to scores and weights, measured on standard
// normal queries and keys (the variance argument of Vaswani et al., "Attention
// Is All You Need", 2017, footnote 4). scale_lesson.py computes the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/lesson/score_figures.hpp"

namespace grader {

constexpr std::int64_t widest_of_study = 1024;

struct ScaleSettings {
  std::int64_t d_k = 64;  // width of a query and a key
  std::int64_t n = 16;    // queries, and keys
  std::int64_t draws = 200;
  std::uint64_t seed = 0;
};

// Of scores that are rounded to float16, the largest of a draw.
struct RoundingFigures {
  Estimate score_error;
  Estimate weight_error;
};

struct ScaleOutcome {
  std::string name;  // "none", "1/sqrt(d_k)", "1/d_k"
  double factor = 1.0;
  ScoreFigures figures;
  RoundingFigures float16;
};

struct WidthOutcome {
  std::int64_t d_k = 0;
  Estimate variance;         // of raw scores
  Estimate scaled_variance;  // of scores / sqrt(d_k)
  ScoreFigures raw;
  ScoreFigures scaled;
};

struct ScaleStudy {
  ScaleSettings settings;
  std::vector<ScaleOutcome> scales;
  std::vector<WidthOutcome> widths;  // 1, 2, 4, ... 1024
  // Of log variance by log d_k, each width weighted by its error.
  Estimate raw_slope;
  Estimate scaled_slope;
};

// draws and n at least 2.
ScaleStudy study_scale(const ScaleSettings& settings);

// (draws, n, n) scores of one width, from default_rng(seed + width).
reference::Tensor draw_scores(const ScaleSettings& settings,
                              std::int64_t width);

}  // namespace grader
