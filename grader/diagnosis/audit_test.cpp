// SPDX-License-Identifier: MIT
#include "grader/diagnosis/audit.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/diagnosis/coincidence.hpp"
#include "grader/diagnosis/inherent_ties.hpp"
#include "grader/diagnosis/size_warnings.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Case make_case(int rank, const Dimensions& dimensions,
               MaskMode mode = MaskMode::none, double gain = 1.0) {
  Case test_case;
  test_case.name = "case";
  test_case.task = "attention";
  test_case.mask_mode = mode;
  test_case.seed = 1;
  test_case.rank = rank;
  test_case.dimensions = dimensions;
  test_case.transforms["q"].gain = gain;
  draw_inputs(test_case);
  test_case.expected = evaluate_reference(test_case);
  return test_case;
}

Case square_toy() {
  return make_case(2, {.n = 4, .m = 4, .d_k = 4, .d_v = 4});
}

Case distinct_sizes() {
  return make_case(2, {.n = 5, .m = 6, .d_k = 7, .d_v = 3});
}

std::size_t find(const Audit& audit, const std::string& fault) {
  const auto found =
      std::ranges::find(audit.variants, fault, &AuditedVariant::fault);
  REQUIRE(found != audit.variants.end());
  return static_cast<std::size_t>(found - audit.variants.begin());
}

const AuditPair* find_tie(const Audit& audit, const std::string& first,
                          const std::string& second) {
  const auto found = std::ranges::find_if(audit.ties, [&](const auto& tie) {
    return audit.variants[tie.first].fault == first &&
           audit.variants[tie.second].fault == second;
  });
  return found == audit.ties.end() ? nullptr : &*found;
}

std::string reason_of(const Audit& audit, const std::string& first,
                      const std::string& second) {
  const AuditPair* tie = find_tie(audit, first, second);
  REQUIRE(tie != nullptr);
  return coincidence(audit, *tie);
}

}  // namespace

TEST_CASE("on a square toy a scale by the keys passes as correct", "[audit]") {
  const std::vector<Case> cases = {square_toy()};
  const Audit audit = audit_cases(cases, {});
  CHECK(passes_as_correct(audit, find(audit, "scale-by-sqrt-keys")));
  CHECK_FALSE(passes_as_correct(audit, find(audit, "scale-missing")));
  CHECK(reason_of(audit, "correct", "scale-by-sqrt-keys") ==
        "m = d_k in every case");
  CHECK(inherent_reason(
            audit, *find_tie(audit, "correct", "scale-by-sqrt-keys")) == "");
}

TEST_CASE("sizes that differ tell the scales apart", "[audit]") {
  const std::vector<Case> cases = {distinct_sizes()};
  const Audit audit = audit_cases(cases, {});
  CHECK_FALSE(passes_as_correct(audit, find(audit, "scale-by-sqrt-keys")));
  CHECK(find_tie(audit, "scale-by-keys", "scale-by-queries") == nullptr);
  CHECK(size_warnings(audit.cases) ==
        std::vector<std::string>{"d_k = 7 in every case: a constant "
                                 "2.64575131 cannot be told from sqrt(d_k)"});
}

TEST_CASE("a second case breaks the ties of the first", "[audit]") {
  const std::vector<Case> cases = {square_toy(), distinct_sizes()};
  const Audit audit = audit_cases(cases, {});
  CHECK_FALSE(passes_as_correct(audit, find(audit, "scale-by-sqrt-keys")));
  CHECK(size_warnings(audit.cases).empty());
  const std::vector<AuditCell>& cells =
      audit.cells[find(audit, "scale-by-sqrt-keys")];
  CHECK(cells[0].distance < 1.0);
  CHECK(cells[1].distance > 1000.0);
}

TEST_CASE("a fault that means nothing on the cases is left out", "[audit]") {
  const std::vector<Case> cases = {distinct_sizes()};
  for (const AuditedFault& fault : faults_of(audit_cases(cases, {}))) {
    CHECK(fault.id != "heads-mixed");
    CHECK(fault.id != "scale-by-heads");
    CHECK(fault.id != "softmax-over-batch");
  }
}

TEST_CASE("faults that fail on every case are not told apart", "[audit]") {
  const std::vector<Case> cases = {distinct_sizes()};
  const Audit audit = audit_cases(cases, {});
  CHECK(is_never_silent(audit, find(audit, "scores-transposed")));
  CHECK_FALSE(is_never_silent(audit, find(audit, "scale-missing")));
  CHECK(reason_of(audit, "scores-transposed", "queries-with-queries") ==
        "both fail on every case: none has the sizes that let them through");
  const auto classes = classes_of(audit, audit.ties);
  CHECK(std::ranges::any_of(classes, [&](const auto& members) {
    return std::ranges::count(members, find(audit, "scores-transposed")) == 1 &&
           std::ranges::count(members, find(audit, "keys-with-keys")) == 1;
  }));
}

TEST_CASE("the same calculation is an inherent tie", "[audit]") {
  const std::vector<Case> cases = {distinct_sizes()};
  const Audit audit = audit_cases(cases, {});
  CHECK(
      inherent_reason(audit, *find_tie(audit, "scale-by-dk", "scale-twice")) ==
      "the same calculation");
}

TEST_CASE("as many queries as keys are inherent in a causal task only",
          "[audit]") {
  const Dimensions square{.n = 6, .m = 6, .d_k = 7, .d_v = 3};
  for (const MaskMode mode : {MaskMode::none, MaskMode::causal}) {
    const std::vector<Case> cases = {make_case(2, square, mode)};
    const Audit audit = audit_cases(cases, {});
    const AuditPair* tie = find_tie(audit, "scale-by-keys", "scale-by-queries");
    REQUIRE(tie != nullptr);
    CHECK(inherent_reason(audit, *tie).empty() == (mode == MaskMode::none));
    CHECK(coincidence(audit, *tie) == "n = m in every case");
  }
}

TEST_CASE("flat scores and saturated ones are named as the reason", "[audit]") {
  const Dimensions sizes{.n = 5, .m = 6, .d_k = 7, .d_v = 3};
  const std::vector<Case> saturated = {
      make_case(2, sizes, MaskMode::none, 1e5)};
  const Audit sharp = audit_cases(saturated, {});
  CHECK(reason_of(sharp, "correct", "scale-missing") ==
        "every row of weights is a single 1: the scores lie too far apart");
  const std::vector<Case> flat = {make_case(2, sizes, MaskMode::none, 1e-3)};
  const Audit dull = audit_cases(flat, {.tolerance = 1e-2});
  CHECK(reason_of(dull, "correct", "scale-missing")
            .starts_with("the scores are flat: |z| is at most 0.00"));
}

TEST_CASE("a test that is lenient or blind to the weights sees less",
          "[audit]") {
  const std::vector<Case> cases = {distinct_sizes()};
  const Audit strict = audit_cases(cases, {});
  const Audit lenient =
      audit_cases(cases, {.tolerance = 10.0, .output_only = true});
  CHECK(passes_as_correct(lenient, find(lenient, "scale-missing")));
  CHECK(strict.ties.size() < lenient.ties.size());
  const Audit outputs = audit_cases(cases, {.output_only = true});
  const AuditPair* tie =
      find_tie(outputs, "scale-values", "scale-after-softmax");
  REQUIRE(tie != nullptr);
  CHECK(inherent_reason(outputs, *tie) != "");
  CHECK(find_tie(strict, "scale-values", "scale-after-softmax") == nullptr);
}

TEST_CASE("inherent ties name faults of the catalogue", "[audit]") {
  for (const auto& [first, second] : inherent_pairs()) {
    INFO(first << " = " << second);
    CHECK((first == "correct" || find_fault(first) != nullptr));
    CHECK(find_fault(second) != nullptr);
  }
}

}  // namespace grader
