// SPDX-License-Identifier: MIT
#include "grader/report/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

namespace grader {
namespace {

// Holds the longest fixed notation of a double: 309 digits before the point.
using Buffer = std::array<char, 400>;

std::string scientific(double value, int decimals) {
  Buffer buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*e", decimals, value);
  return buffer.data();
}

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

double largest_difference(const std::vector<double>& expected,
                          const std::vector<double>& actual) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    const double difference = std::abs(expected[i] - actual[i]);
    if (std::isfinite(difference)) {
      largest = std::max(largest, difference);
    }
  }
  return largest;
}

}  // namespace

std::string significant(double value, int digits) {
  if (std::isnan(value)) {
    return "not a number";
  }
  if (std::isinf(value)) {
    return value > 0.0 ? "infinite" : "minus infinite";
  }
  Buffer buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
  return buffer.data();
}

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) {
    return "nan";  // without the sign that some libraries print
  }
  Buffer buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return buffer.data();
}

std::string duration_text(double seconds) {
  constexpr double minute = 60.0;
  if (!(seconds >= 10.0)) {
    return fixed(seconds > 0.0 ? seconds : 0.0, 1) + " s";
  }
  const double whole = std::round(seconds);
  if (whole < minute) {
    return fixed(whole, 0) + " s";
  }
  return fixed(std::floor(whole / minute), 0) + " min " +
         fixed(std::fmod(whole, minute), 0) + " s";
}

NumberRows number_rows(const std::vector<double>& expected,
                       const std::vector<double>& actual) {
  constexpr int fewest_decimals = 3;
  constexpr int most_decimals = 9;
  constexpr double widest = 1e4;
  const double magnitude =
      std::max(largest_magnitude(expected), largest_magnitude(actual));
  const double difference = largest_difference(expected, actual);
  int decimals = fewest_decimals;
  while (decimals < most_decimals && difference > 0.0 &&
         difference < 0.9 * std::pow(10.0, -decimals)) {
    ++decimals;
  }
  const bool is_plain =
      magnitude < widest && (magnitude >= 1e-2 || magnitude == 0.0);
  const std::function<std::string(double)> text = [&](double value) {
    return is_plain || !std::isfinite(value) ? fixed(value, decimals)
                                             : scientific(value, 2);
  };
  NumberRows rows;
  std::ranges::transform(expected, std::back_inserter(rows.expected), text);
  std::ranges::transform(actual, std::back_inserter(rows.actual), text);
  return rows;
}

}  // namespace grader
