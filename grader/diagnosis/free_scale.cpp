// SPDX-License-Identifier: MIT
#include "grader/diagnosis/free_scale.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

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
