// SPDX-License-Identifier: MIT
#include "grader/diagnosis/free_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace grader {
namespace {

// Relative uncertainty of a fitted factor. It must stay near rounding, or
// the fit would excuse what it cannot explain.
double law_error(const ScaleLaw& law, DType precision) {
  const double u = unit_roundoff(precision);
  return std::clamp(8.0 * law.exponent_error, 64.0 * u, 4096.0 * u);
}

// Largest relative distance from 1/sqrt(d_k) on the sizes at hand.
double distance_from_right(const ScaleLaw& law, const Scene& scene) {
  double distance = 0.0;
  for (const Evidenced& one : scene.cases) {
    const Dimensions& dimensions = one.test_case().dimensions;
    const double right = scale_factor(scales::by_sqrt_dk, dimensions);
    distance = std::max(distance,
                        std::abs(evaluate_law(law, dimensions) / right - 1.0));
  }
  return distance;
}

Formula law_formula(const ScaleLaw& law, const Case& test_case,
                    DType precision) {
  return {.scale = scales::constant(evaluate_law(law, test_case.dimensions)),
          .scale_error = law_error(law, precision),
          .is_fitted = true};
}

std::optional<FormulaFit> fit_law(const ScaleLaw& law, const Scene& scene) {
  for (const Formula& context : scene.contexts) {
    FormulaFit fit;
    for (const Evidenced& evidenced : scene.cases) {
      if (!is_informative(*evidenced.prepared,
                          unit_roundoff(scene.precision))) {
        continue;
      }
      const auto formula = in_context(
          law_formula(law, evidenced.test_case(), scene.precision), context);
      fit.add(fit_case(*formula, evidenced, scene.precision));
    }
    fit.complete = true;
    if (fit.fits()) {
      return fit;
    }
  }
  return std::nullopt;
}

// The measured factor of a case, and how far off it may be.
Formula slope_formula(const Slope& slope, DType precision) {
  const double u = unit_roundoff(precision);
  const double error = 4.0 * slope.standard_error / std::abs(slope.value);
  return {.scale = scales::constant(slope.value),
          .scale_error = std::clamp(error, 8.0 * u, 64.0 * u),
          .is_fitted = true};
}

std::optional<FormulaFit> fit_slopes(const std::vector<Evidenced>& measured,
                                     const Scene& scene) {
  for (const Formula& context : scene.contexts) {
    FormulaFit fit;
    for (const Evidenced& one : measured) {
      const auto formula =
          in_context(slope_formula(*one.slope, scene.precision), context);
      if (!formula) {
        break;
      }
      fit.add(fit_case(*formula, one, scene.precision));
      fit.complete = &one == &measured.back();
    }
    if (fit.fits()) {
      return fit;
    }
  }
  return std::nullopt;
}

bool has_another_scale(const Evidenced& one, double factor) {
  constexpr double clear = 1e-4;
  return std::abs(one.slope->value / factor - 1.0) > clear;
}

bool has_wrong_scale(const Evidenced& one) {
  return has_another_scale(
      one, scale_factor(scales::by_sqrt_dk, one.test_case().dimensions));
}

std::string short_number(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.4g", value);
  return buffer.data();
}

// The narrowest, the widest, and whether cases of the same sizes agree.
std::string describe_slopes(std::vector<Evidenced> measured) {
  std::ranges::stable_sort(measured, {}, [](const Evidenced& one) {
    return one.test_case().dimensions.d_k;
  });
  const auto text = [](const Evidenced& one) {
    return short_number(one.slope->value) +
           " at d_k = " + std::to_string(one.test_case().dimensions.d_k);
  };
  for (const Evidenced& one : measured) {
    for (const Evidenced& other : measured) {
      if (one.test_case().dimensions == other.test_case().dimensions &&
          has_another_scale(one, other.slope->value)) {
        return short_number(one.slope->value) + " and " + text(other) +
               " on two inputs of the same sizes";
      }
    }
  }
  return text(measured.front()) + ", " + text(measured.back());
}

}  // namespace

std::optional<ScalesByCase> find_scales_by_case(const Scene& scene) {
  if (is_half(scene.precision)) {
    return std::nullopt;
  }
  std::vector<Evidenced> measured;
  std::size_t silent = 0;
  for (const Evidenced& one : scene.cases) {
    if (!is_informative(*one.prepared, unit_roundoff(scene.precision))) {
      continue;
    }
    if (!is_silent(*one.observation)) {
      return std::nullopt;
    }
    ++silent;
    if (one.slope && one.slope->value != 0.0) {
      measured.push_back(one);
    }
  }
  constexpr std::size_t fewest = 4;
  if (measured.size() < fewest || 4 * measured.size() < 3 * silent ||
      std::ranges::none_of(measured, has_wrong_scale)) {
    return std::nullopt;
  }
  const auto fit = fit_slopes(measured, scene);
  return fit ? std::optional(ScalesByCase{describe_slopes(measured), *fit})
             : std::nullopt;
}

std::optional<LawFinding> find_free_scale(const Scene& scene) {
  const double u = unit_roundoff(scene.precision);
  const auto points = measure_scale(scene.cases, scene.precision);
  for (const ScaleLaw& law : fit_scale_laws(points, scene.precision)) {
    const double distance = distance_from_right(law, scene);
    // 1/sqrt(d_k) found again is no finding: the numbers are off for another
    // reason.
    if (distance <= std::max(8.0 * law.exponent_error, 64.0 * u)) {
      continue;
    }
    if (const auto fit = fit_law(law, scene)) {
      return LawFinding{
          .law = law,
          .fit = *fit,
          .is_nearly_right = distance <= 2.0 * unit_roundoff(DType::float32)};
    }
  }
  return std::nullopt;
}

}  // namespace grader
