// SPDX-License-Identifier: MIT
#include "grader/diagnosis/scale_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace grader {
namespace {

struct NamedSize {
  const char* name;
  std::int64_t Dimensions::*size;
};

constexpr std::array<NamedSize, 7> axes = {{{"d_k", &Dimensions::d_k},
                                            {"m", &Dimensions::m},
                                            {"n", &Dimensions::n},
                                            {"H", &Dimensions::heads},
                                            {"B", &Dimensions::batch},
                                            {"d_v", &Dimensions::d_v},
                                            {"C", &Dimensions::d_model}}};

// An axis that a case does not have has size 1.
double log_size(const NamedSize& axis, const Dimensions& dimensions) {
  const std::int64_t size = dimensions.*axis.size;
  return size == 0 ? 0.0 : std::log(static_cast<double>(size));
}

constexpr std::size_t most_unknowns = 3;  // the constant and two exponents

// Normal equations of at most three unknowns, with the inverse for the errors.
class LawEquations {
 public:
  explicit LawEquations(std::size_t unknowns) : unknowns_(unknowns) {}

  void add(const std::array<double, most_unknowns>& row, double value) {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      for (std::size_t j = 0; j < unknowns_; ++j) {
        matrix_[i][j] += static_cast<long double>(row[i]) * row[j];
      }
      right_[i] += static_cast<long double>(row[i]) * value;
    }
  }

  // Gauss-Jordan on [matrix | identity]; false when the axes of the cases are
  // too nearly dependent to tell the unknowns apart.
  bool solve() {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      inverse_[i][i] = 1.0L;
    }
    for (std::size_t column = 0; column < unknowns_; ++column) {
      if (!eliminate(column)) {
        return false;
      }
    }
    return true;
  }

  double solution(std::size_t i) const {
    long double sum = 0.0L;
    for (std::size_t j = 0; j < unknowns_; ++j) {
      sum += inverse_[i][j] * right_[j];
    }
    return static_cast<double>(sum);
  }

  // Variance of an unknown for unit variance of the values.
  double variance(std::size_t i) const {
    return static_cast<double>(inverse_[i][i]);
  }

 private:
  using Matrix =
      std::array<std::array<long double, most_unknowns>, most_unknowns>;

  bool eliminate(std::size_t column) {
    const long double pivot = matrix_[column][column];
    if (std::abs(pivot) < 1e-4L) {
      return false;
    }
    scale_row(column, 1.0L / pivot);
    for (std::size_t row = 0; row < unknowns_; ++row) {
      if (row != column) {
        subtract_row(row, column, matrix_[row][column]);
      }
    }
    return true;
  }

  void scale_row(std::size_t row, long double factor) {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      matrix_[row][i] *= factor;
      inverse_[row][i] *= factor;
    }
  }

  void subtract_row(std::size_t row, std::size_t other, long double factor) {
    for (std::size_t i = 0; i < unknowns_; ++i) {
      matrix_[row][i] -= factor * matrix_[other][i];
      inverse_[row][i] -= factor * inverse_[other][i];
    }
  }

  std::size_t unknowns_;
  Matrix matrix_{};
  Matrix inverse_{};
  std::array<long double, most_unknowns> right_{};
};

std::array<double, most_unknowns> equation(
    const std::vector<std::size_t>& chosen, const Dimensions& dimensions) {
  std::array<double, most_unknowns> row{1.0};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    row[i + 1] = log_size(axes[chosen[i]], dimensions);
  }
  return row;
}

// What log c may be off by rounding alone.
double rounding_limit(const std::vector<ScalePoint>& points, DType precision) {
  double limit = 256.0 * unit_roundoff(precision);
  for (const ScalePoint& point : points) {
    limit = std::max(
        limit, 6.0 * point.slope.standard_error / std::abs(point.slope.value));
  }
  return std::min(limit, 0.01);
}

double snap(double value, double step, double limit) {
  const double nearest = std::round(value / step) * step;
  return std::abs(value - nearest) <= limit ? nearest : value;
}

// 0.125 rather than 0.125000001, where the fit cannot tell them apart.
double short_decimal(double value, double relative_limit) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3.0);
  const double rounded = std::round(value / unit) * unit;
  return std::abs(rounded / value - 1.0) <= relative_limit ? rounded : value;
}

std::optional<ScaleLaw> fit_one(const std::vector<ScalePoint>& points,
                                const std::vector<std::size_t>& chosen,
                                double limit) {
  const std::size_t unknowns = chosen.size() + 1;
  if (points.size() <= unknowns) {
    return std::nullopt;
  }
  LawEquations squares(unknowns);
  for (const ScalePoint& point : points) {
    squares.add(equation(chosen, point.dimensions),
                std::log(std::abs(point.slope.value)));
  }
  if (!squares.solve()) {
    return std::nullopt;
  }
  ScaleLaw law;
  const double sign = points.front().slope.value < 0.0 ? -1.0 : 1.0;
  law.constant = sign * short_decimal(std::exp(squares.solution(0)),
                                      limit * std::sqrt(squares.variance(0)));
  law.cases = static_cast<int>(points.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    law.exponents[axes[chosen[i]].name] =
        snap(squares.solution(i + 1), 0.25,
             10.0 * limit * std::sqrt(squares.variance(i + 1)));
  }
  double squared = 0.0;
  for (const ScalePoint& point : points) {
    const double residual =
        std::log(point.slope.value / evaluate_law(law, point.dimensions));
    if (!(std::abs(residual) <= limit)) {
      return std::nullopt;
    }
    squared += residual * residual;
    law.r2 = std::max(law.r2, 1.0 - point.slope.r2);
  }
  law.r2 = 1.0 - law.r2;
  const double deviation =
      std::sqrt(squared / static_cast<double>(points.size() - unknowns));
  for (std::size_t i = 0; i < unknowns; ++i) {
    law.exponent_error = std::max(law.exponent_error,
                                  deviation * std::sqrt(squares.variance(i)));
  }
  return law;
}

// Where n = m everywhere, or d_v = d_k, the two axes are one, called by the
// first name.
std::vector<std::size_t> varying_axes(const std::vector<ScalePoint>& points) {
  const auto value = [](const ScalePoint& point, std::size_t axis) {
    return log_size(axes[axis], point.dimensions);
  };
  std::vector<std::size_t> varying;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool constant = std::ranges::all_of(points, [&](const auto& point) {
      return value(point, i) == value(points.front(), i);
    });
    const auto is_same = [&](std::size_t other) {
      return std::ranges::all_of(points, [&](const auto& point) {
        return value(point, i) == value(point, other);
      });
    };
    if (!constant && std::ranges::none_of(varying, is_same)) {
      varying.push_back(i);
    }
  }
  return varying;
}

std::vector<std::vector<std::size_t>> choices(
    const std::vector<std::size_t>& varying, std::size_t count) {
  std::vector<std::vector<std::size_t>> result;
  if (count == 0) {
    result.emplace_back();
  }
  for (std::size_t i = 0; i < varying.size() && count > 0; ++i) {
    if (count == 1) {
      result.push_back({varying[i]});
    }
    for (std::size_t j = i + 1; j < varying.size() && count == 2; ++j) {
      result.push_back({varying[i], varying[j]});
    }
  }
  return result;
}

// A score is known to u |z|, so loud cases know their slope badly: where there
// are enough others, those decide.
std::vector<ScalePoint> calm_points(const std::vector<ScalePoint>& all) {
  constexpr double loudest = 32.0;
  constexpr std::size_t enough = 8;
  std::vector<ScalePoint> calm = all;
  std::erase_if(calm, [](const ScalePoint& point) {
    return point.largest_score > loudest;
  });
  return calm.size() >= enough ? calm : all;
}

bool signs_agree(const std::vector<ScalePoint>& points) {
  return std::ranges::all_of(points, [&](const ScalePoint& point) {
    return (point.slope.value < 0.0) == (points.front().slope.value < 0.0);
  });
}

}  // namespace

std::vector<ScalePoint> measure_scale(const std::vector<Evidenced>& cases,
                                      DType precision) {
  // Rounding in half precision leaves R^2 at about 0.9997 (docs/diagnosis.md).
  const double least_r2 =
      unit_roundoff(precision) < 0x1p-20 ? 1.0 - 1e-9 : 0.9995;
  std::vector<ScalePoint> points;
  for (const Evidenced& evidenced : cases) {
    if (!is_informative(*evidenced.prepared, unit_roundoff(precision))) {
      continue;
    }
    const std::optional<Slope>& slope = evidenced.slope;
    if (slope && slope->r2 >= least_r2 && slope->value != 0.0) {
      points.push_back({evidenced.test_case().dimensions, *slope,
                        evidenced.prepared->basis.error_scale.score});
    }
  }
  return points;
}

std::vector<ScaleLaw> fit_scale_laws(const std::vector<ScalePoint>& all,
                                     DType precision) {
  const std::vector<ScalePoint> points = calm_points(all);
  std::vector<ScaleLaw> laws;
  if (points.empty() || !signs_agree(points)) {
    return laws;
  }
  const std::vector<std::size_t> varying = varying_axes(points);
  const double limit = rounding_limit(points, precision);
  for (std::size_t exponents = 0; exponents <= 2 && laws.empty(); ++exponents) {
    for (const auto& chosen : choices(varying, exponents)) {
      if (auto law = fit_one(points, chosen, limit)) {
        laws.push_back(std::move(*law));
      }
    }
  }
  return laws;
}

double evaluate_law(const ScaleLaw& law, const Dimensions& dimensions) {
  double logarithm = 0.0;
  for (const NamedSize& axis : axes) {
    const auto exponent = law.exponents.find(axis.name);
    if (exponent != law.exponents.end()) {
      logarithm += exponent->second * log_size(axis, dimensions);
    }
  }
  return law.constant * std::exp(logarithm);
}

std::string describe_law(const ScaleLaw& law) {
  std::array<char, 64> buffer{};
  std::string text;
  if (std::abs(law.constant - 1.0) > 1e-9 || law.exponents.empty()) {
    std::snprintf(buffer.data(), buffer.size(), "%.6g", law.constant);
    text = buffer.data();
  }
  for (const auto& [name, exponent] : law.exponents) {
    std::snprintf(buffer.data(), buffer.size(), "%s%s^%.3f",
                  text.empty() ? "" : " ", name.c_str(), exponent);
    text += buffer.data();
  }
  return text;
}

}  // namespace grader
