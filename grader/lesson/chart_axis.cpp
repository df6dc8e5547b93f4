// SPDX-License-Identifier: MIT
#include "grader/lesson/chart_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace grader {
namespace {

constexpr int most_ticks = 6;

// 1, 2 or 5 times a power of ten, so that there are few.
double step_for(double range) {
  const double rough = range / most_ticks;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      return factor * power;
    }
  }
  return 10.0 * power;
}

std::vector<double> linear_ticks(double low, double high) {
  const double step = step_for(high - low);
  const auto first = static_cast<int>(std::ceil(low / step));
  const auto last = static_cast<int>(std::floor(high / step));
  std::vector<double> ticks;
  for (int i = first; i <= last; ++i) {
    ticks.push_back(i * step);
  }
  return ticks;
}

// Powers of ten; of two where these are too few.
std::vector<double> logarithmic_ticks(double low, double high) {
  const double base = high - low >= 2.0 ? 10.0 : 2.0;
  const auto first = static_cast<int>(std::ceil(low / std::log10(base)));
  const auto last = static_cast<int>(std::floor(high / std::log10(base)));
  const int stride = std::max(1, (last - first + most_ticks - 1) / most_ticks);
  std::vector<double> ticks;
  for (int i = first; i <= last; i += stride) {
    ticks.push_back(std::pow(base, i));
  }
  return ticks;
}

}  // namespace

ChartAxis::ChartAxis(const Axis& axis, const std::vector<double>& values)
    : is_logarithmic_(axis.is_logarithmic) {
  const auto [smallest, largest] = std::ranges::minmax(values);
  const double low = transformed(smallest);
  const double high = transformed(largest);
  // The marks of the ends stand inside, and one value alone in the middle.
  const double margin = high > low ? 0.04 * (high - low) : 0.5;
  low_ = low - margin;
  high_ = high + margin;
  ticks_ = is_logarithmic_ ? logarithmic_ticks(low_, high_)
                           : linear_ticks(low_, high_);
}

double ChartAxis::transformed(double value) const {
  return is_logarithmic_ ? std::log10(value) : value;
}

double ChartAxis::position(double value) const {
  return (transformed(value) - low_) / (high_ - low_);
}

ChartAxes axes_of(const Chart& chart) {
  std::vector<double> x;
  std::vector<double> y;
  for (const Series& series : chart.series) {
    x.insert(x.end(), series.x.begin(), series.x.end());
    y.insert(y.end(), series.y.begin(), series.y.end());
  }
  return {ChartAxis(chart.x, x), ChartAxis(chart.y, y)};
}

std::string tick_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g",
                std::abs(value) < 1e-12 ? 0.0 : value);
  return text.data();
}

}  // namespace grader
