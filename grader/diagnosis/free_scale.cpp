// SPDX-License-Identifier: MIT
#include "grader/diagnosis/free_scale.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "grader/diagnosis/params.hpp"

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

// Each case by a formula of its own, in the first context in which all fit.
template <typename MakeFormula>
std::optional<FormulaFit> fit_each(const std::vector<Evidenced>& cases,
                                   const Scene& scene, MakeFormula make) {
  for (const Formula& context : scene.contexts) {
    FormulaFit fit;
    fit.complete = true;
    for (const Evidenced& evidenced : cases) {
      const auto formula = in_context(make(evidenced), context);
      if (!formula) {
        fit.complete = false;
        break;
      }
      fit.add(fit_case(*formula, evidenced, scene.precision));
    }
    if (fit.fits()) {
      return fit;
    }
  }
  return std::nullopt;
}

std::vector<Evidenced> informative(const Scene& scene) {
  std::vector<Evidenced> cases = scene.cases;
  std::erase_if(cases, [&](const Evidenced& one) {
    return !is_informative(*one.prepared, unit_roundoff(scene.precision));
  });
  return cases;
}

// The measured factor of a case, and how far off it may be.
Formula slope_formula(const Slope& slope, DType precision) {
  const double u = unit_roundoff(precision);
  const double error = 4.0 * slope.standard_error / std::abs(slope.value);
  return {.scale = scales::constant(slope.value),
          .scale_error = std::clamp(error, 8.0 * u, 64.0 * u),
          .is_fitted = true};
}

bool has_another_scale(const Evidenced& one, double factor) {
  constexpr double clear = 1e-4;
  return std::abs(one.slope->value / factor - 1.0) > clear;
}

bool has_wrong_scale(const Evidenced& one) {
  return has_another_scale(
      one, scale_factor(scales::by_sqrt_dk, one.test_case().dimensions));
}

constexpr int slope_digits = 4;

// Of the wrong ones the narrowest, the widest, and whether cases of the same
// sizes agree.
std::string describe_slopes(std::vector<Evidenced> measured) {
  std::erase_if(measured, std::not_fn(has_wrong_scale));
  std::ranges::stable_sort(measured, {}, [](const Evidenced& one) {
    return one.test_case().dimensions.d_k;
  });
  const auto text = [](const Evidenced& one) {
    return number_text(one.slope->value, slope_digits) +
           " at d_k = " + std::to_string(one.test_case().dimensions.d_k);
  };
  for (const Evidenced& one : measured) {
    for (const Evidenced& other : measured) {
      if (one.test_case().dimensions == other.test_case().dimensions &&
          has_another_scale(one, other.slope->value)) {
        return number_text(one.slope->value, slope_digits) + " and " +
               text(other) + " on two inputs of the same sizes";
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
  const std::vector<Evidenced> cases = informative(scene);
  std::vector<Evidenced> measured;
  for (const Evidenced& one : cases) {
    if (!is_silent(*one.observation)) {
      return std::nullopt;
    }
    if (one.slope && one.slope->value != 0.0) {
      measured.push_back(one);
    }
  }
  constexpr std::size_t fewest = 4;
  // A scale that is right nearly everywhere is not what is wrong.
  const auto wrong = static_cast<std::size_t>(
      std::ranges::count_if(measured, has_wrong_scale));
  if (measured.size() < fewest || 4 * measured.size() < 3 * cases.size() ||
      2 * wrong < measured.size()) {
    return std::nullopt;
  }
  const auto fit = fit_each(measured, scene, [&](const Evidenced& one) {
    return slope_formula(*one.slope, scene.precision);
  });
  return fit ? std::optional(ScalesByCase{describe_slopes(measured), *fit})
             : std::nullopt;
}

std::optional<LawFinding> find_free_scale(const Scene& scene) {
  const double u = unit_roundoff(scene.precision);
  const auto points = measure_scale(scene.cases, scene.precision);
  const std::vector<Evidenced> cases = informative(scene);
  for (const ScaleLaw& law : fit_scale_laws(points, scene.precision)) {
    const double distance = distance_from_right(law, scene);
    // 1/sqrt(d_k) found again is no finding: the numbers are off for another
    // reason.
    if (distance <= std::max(8.0 * law.exponent_error, 64.0 * u)) {
      continue;
    }
    const auto fit = fit_each(cases, scene, [&](const Evidenced& one) {
      return law_formula(law, one.test_case(), scene.precision);
    });
    if (fit) {
      return LawFinding{
          .law = law,
          .fit = *fit,
          .is_nearly_right = distance <= 2.0 * unit_roundoff(DType::float32)};
    }
  }
  return std::nullopt;
}

}  // namespace grader
