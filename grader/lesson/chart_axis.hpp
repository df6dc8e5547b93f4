// SPDX-License-Identifier: MIT
// Where the values of a chart are on one of its axes, and what is written
// there.
#pragma once

#include <string>
#include <vector>

#include "grader/lesson/lesson.hpp"

namespace grader {

class ChartAxis {
 public:
  ChartAxis(const Axis& axis, const std::vector<double>& values);

  // 0 at the low end, 1 at the high one.
  double position(double value) const;

  // Round numbers, about five.
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  double transformed(double value) const;

  bool is_logarithmic_;
  double low_ = 0.0;  // transformed, as is high_
  double high_ = 1.0;
  std::vector<double> ticks_;
};

struct ChartAxes {
  ChartAxis x;
  ChartAxis y;
};

ChartAxes axes_of(const Chart& chart);

// "0.001", "64", "1e+06"
std::string tick_text(double value);

}  // namespace grader
