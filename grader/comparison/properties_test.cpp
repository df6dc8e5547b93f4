// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "grader/comparison/compare.hpp"
#include "reference/mask.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

struct Scene {
  explicit Scene(MaskMode mask_mode) {
    test_case.name = "case";
    test_case.seed = 5;
    test_case.rank = 2;
    test_case.mask_mode = mask_mode;
    test_case.dimensions = {.n = 4, .m = 4, .d_k = 3, .d_v = 2};
    draw_inputs(test_case);
    test_case.expected = evaluate_reference(test_case);
    basis = make_basis(test_case);
    CaseObservation observation;
    observation.test_case = &test_case;
    observation.outcome = Returned{};
    observation.output = test_case.expected.output;
    observation.weights = test_case.expected.weights;
    observation.weights_source = WeightsSource::returned;
    observations.cases.push_back(observation);
  }

  reference::Tensor& weights() { return *observations.cases.front().weights; }

  bool holds(const std::string& name) const {
    const auto properties =
        check_properties(observations, {&basis}, unit_roundoff(DType::float64));
    const auto found = std::ranges::find(properties, name, &Property::name);
    REQUIRE(found != properties.end());
    return found->holds;
  }

  Case test_case;
  CaseBasis basis;
  Observations observations;
};

}  // namespace

TEST_CASE("the reference has every property", "[properties]") {
  Scene scene(MaskMode::causal);
  scene.observations.same_answer_twice = true;
  const auto properties = check_properties(scene.observations, {&scene.basis},
                                           unit_roundoff(DType::float64));
  CHECK(properties.size() == 6);
  for (const Property& property : properties) {
    INFO(property.name);
    CHECK(property.holds);
  }
}

TEST_CASE("rows that do not sum to 1 are seen", "[properties]") {
  Scene scene(MaskMode::none);
  scene.weights().data.front() += 1e-9;
  CHECK_FALSE(scene.holds("rows sum to 1"));
}

TEST_CASE("NaN breaks the row sum", "[properties]") {
  Scene scene(MaskMode::none);
  scene.weights().data.front() = std::nan("");
  CHECK_FALSE(scene.holds("rows sum to 1"));
}

TEST_CASE("a negative weight is seen", "[properties]") {
  Scene scene(MaskMode::none);
  scene.weights().data.front() = -0.1;
  CHECK_FALSE(scene.holds("no weight is negative"));
}

TEST_CASE("a look into the future is seen", "[properties]") {
  Scene scene(MaskMode::causal);
  CHECK(scene.holds("hidden keys get weight 0"));
  scene.weights().data[1] = 1e-6;
  CHECK_FALSE(scene.holds("hidden keys get weight 0"));
}

TEST_CASE("an output that is no weighted sum is seen", "[properties]") {
  Scene scene(MaskMode::none);
  CHECK(scene.holds("output = weights @ v"));
  scene.observations.cases.front().output->data.front() += 1e-6;
  CHECK_FALSE(scene.holds("output = weights @ v"));
}

TEST_CASE("changed inputs and changing answers are seen", "[properties]") {
  Scene scene(MaskMode::none);
  scene.observations.cases.front().input_mutated = true;
  CHECK_FALSE(scene.holds("inputs are left unchanged"));
  scene.observations.same_answer_twice = false;
  CHECK_FALSE(scene.holds("the same answer twice"));
}

TEST_CASE("a property that no case shows is left out", "[properties]") {
  Scene scene(MaskMode::none);
  scene.observations.cases.front().weights.reset();
  const auto properties = check_properties(scene.observations, {&scene.basis},
                                           unit_roundoff(DType::float64));
  REQUIRE(properties.size() == 1);
  CHECK(properties.front().name == "inputs are left unchanged");
}

}  // namespace grader
