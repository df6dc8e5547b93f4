// SPDX-License-Identifier: MIT
#include "grader/diagnosis/scale_law.hpp"

#include <cmath>

#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

// Points as an exact law gives them, over the sizes of the shipped cases.
std::vector<ScalePoint> points_of(double constant, double d_k, double keys) {
  std::vector<ScalePoint> points;
  for (const Case& test_case : public_cases("attention")) {
    const Dimensions& dimensions = test_case.dimensions;
    const double factor = constant *
                          std::pow(static_cast<double>(dimensions.d_k), d_k) *
                          std::pow(static_cast<double>(dimensions.m), keys);
    points.push_back(
        {dimensions, {.value = factor, .standard_error = 0.0, .r2 = 1.0}, 3.0});
  }
  return points;
}

}  // namespace

TEST_CASE("a law without exponents is a constant", "[scale_law]") {
  const auto laws = fit_scale_laws(points_of(0.125, 0.0, 0.0), DType::float64);
  REQUIRE(laws.size() == 1);
  CHECK(laws.front().exponents.empty());
  CHECK(laws.front().constant == Approx(0.125).epsilon(1e-14));
}

TEST_CASE("the exponent of d_k is found to rounding", "[scale_law]") {
  const auto laws = fit_scale_laws(points_of(1.0, -1.0, 0.0), DType::float64);
  REQUIRE(laws.size() == 1);
  CHECK(laws.front().exponents.at("d_k") == -1.0);
  CHECK(laws.front().exponents.size() == 1);
  CHECK(std::abs(laws.front().constant - 1.0) < 1e-12);
}

TEST_CASE("a law of two axes and a constant is found", "[scale_law]") {
  const auto laws = fit_scale_laws(points_of(3.0, -0.5, -1.0), DType::float64);
  REQUIRE(laws.size() == 1);
  CHECK(laws.front().exponents.at("d_k") == -0.5);
  CHECK(laws.front().exponents.at("m") == -1.0);
  CHECK(laws.front().constant == Approx(3.0).epsilon(1e-10));
}

TEST_CASE("a negative scale keeps its sign", "[scale_law]") {
  const auto laws = fit_scale_laws(points_of(-1.0, -0.5, 0.0), DType::float64);
  REQUIRE(laws.size() == 1);
  CHECK(laws.front().constant == Approx(-1.0).epsilon(1e-12));
}

TEST_CASE("scales that follow no law give none", "[scale_law]") {
  auto points = points_of(1.0, -0.5, 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].slope.value *= 1.0 + 0.01 * static_cast<double>(i % 3);
  }
  CHECK(fit_scale_laws(points, DType::float64).empty());
  points.front().slope.value *= -1.0;
  CHECK(fit_scale_laws(points, DType::float64).empty());
}

TEST_CASE("no points and too few points give no law", "[scale_law]") {
  CHECK(fit_scale_laws({}, DType::float64).empty());
  auto points = points_of(1.0, -0.5, 0.0);
  points.resize(1);
  CHECK(fit_scale_laws(points, DType::float64).empty());
}

TEST_CASE("the scale of a submission is measured to rounding", "[scale_law]") {
  const std::vector<Case> cases = public_cases("attention");
  const auto prepared = prepare_cases(cases);
  const Observations observations =
      pretend({.scale = scales::constant(0.3)}, prepared);
  std::vector<Evidenced> evidence;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    evidence.push_back(gather_evidence(prepared[i], observations.cases[i]));
  }
  const auto points = measure_scale(evidence, DType::float64);
  CHECK(points.size() > 20);
  for (const ScalePoint& point : points) {
    CHECK(std::abs(point.slope.value / 0.3 - 1.0) < 1e-12);
  }
}

TEST_CASE("a law reads like a formula", "[scale_law]") {
  ScaleLaw law;
  law.exponents = {{"d_k", -1.0}};
  CHECK(describe_law(law) == "d_k^-1.000");
  law.constant = 0.5;
  CHECK(describe_law(law) == "0.5 d_k^-1.000");
  law.exponents.clear();
  CHECK(describe_law(law) == "0.5");
}

}  // namespace grader
