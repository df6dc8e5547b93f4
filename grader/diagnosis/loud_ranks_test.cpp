// SPDX-License-Identifier: MIT
#include "grader/diagnosis/loud_ranks.hpp"

#include <algorithm>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

struct Fixture {
  // One formula on a sequence, another on batches.
  Diagnosis judge(const Formula& sequence, const Formula& batch) const {
    Observations observations;
    for (const PreparedCase& one : prepared) {
      observations.cases.push_back(
          pretend_case(one.test_case->rank == 2 ? sequence : batch, one,
                       Answers::output_and_weights));
    }
    return diagnose(observations, prepared, DType::float64);
  }

  std::vector<Case> cases = public_cases("attention");
  std::vector<PreparedCase> prepared = prepare_cases(cases);
};

// q @ k.T / sqrt(k.shape[1]), softmax over axis 1, as a batch of 3-D takes it.
constexpr Formula written_for_two_axes{.product = Product::keys_all_axes,
                                       .scale = scales::by_sqrt(SizeAxis::keys),
                                       .softmax = Softmax::over_queries};

bool is_declined(const Diagnosis& diagnosis) {
  return std::ranges::count(diagnosis.notes, "rank-declined") == 1;
}

}  // namespace

TEST_CASE("what is counted from the front on a batch is one slip, not three",
          "[loud_ranks]") {
  const Diagnosis diagnosis = Fixture().judge(Formula{}, written_for_two_axes);
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults == FaultSet{"keys-transposed-all-axes"});
  CHECK(diagnosis.faults_by_rank.at(2).empty());
  CHECK(diagnosis.faults_by_rank.at(3) == diagnosis.faults);
  CHECK(diagnosis.certainty == "proven");
}

TEST_CASE("a fault of one sequence is named whatever batches do",
          "[loud_ranks]") {
  const Diagnosis diagnosis =
      Fixture().judge({.scale = scales::by_dk}, written_for_two_axes);
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults_by_rank.at(2) == FaultSet{"scale-by-dk"});
  CHECK(std::ranges::count(diagnosis.faults, "scale-by-dk") == 1);
}

TEST_CASE("axes exchanged by number are told apart", "[loud_ranks]") {
  const Diagnosis diagnosis =
      Fixture().judge(Formula{}, {.product = Product::keys_leading_axes,
                                  .softmax = Softmax::over_queries});
  CHECK(diagnosis.faults == FaultSet{"keys-transposed-all-axes"});
  CHECK(diagnosis.evidence.params.at("axes") == "0 and 1");
  CHECK(diagnosis.summary.starts_with("Axes 0 and 1 of the keys"));
}

TEST_CASE("batches that raise and cannot be explained are declined",
          "[loud_ranks]") {
  const Formula nameless{.product = Product::keys_all_axes,
                         .scale = scales::constant(0.123),
                         .softmax = Softmax::sigmoid};
  SECTION("beside a right answer") {
    const Diagnosis diagnosis = Fixture().judge(Formula{}, nameless);
    CHECK(diagnosis.verdict == Verdict::correct);
    CHECK(diagnosis.ranks == std::vector<int>{2});
    CHECK(is_declined(diagnosis));
    CHECK(diagnosis.summary.find("unless sizes happen to agree") !=
          std::string::npos);
  }
  SECTION("beside a fault") {
    const Diagnosis diagnosis =
        Fixture().judge({.softmax = Softmax::over_queries}, nameless);
    CHECK(diagnosis.faults == FaultSet{"softmax-over-queries"});
    CHECK(is_declined(diagnosis));
  }
  SECTION("beside an answer that has no explanation either") {
    const Diagnosis diagnosis = Fixture().judge(
        {.scale = scales::constant(0.321), .softmax = Softmax::sigmoid},
        nameless);
    CHECK(diagnosis.verdict == Verdict::unclassified);
    CHECK(diagnosis.ranks == std::vector<int>{2});
  }
}

TEST_CASE("a rank that returns where all sizes differ is not let off",
          "[loud_ranks]") {
  const Diagnosis diagnosis = Fixture().judge(
      Formula{},
      {.scale = scales::constant(0.123), .softmax = Softmax::sigmoid});
  CHECK(diagnosis.verdict == Verdict::unclassified);
  CHECK(diagnosis.ranks == std::vector<int>{2, 3, 4});
}

TEST_CASE("a submission that raises on every rank is let off none",
          "[loud_ranks]") {
  const Diagnosis diagnosis =
      Fixture().judge({.product = Product::keys_not_transposed},
                      {.product = Product::keys_not_transposed});
  CHECK(diagnosis.faults == FaultSet{"keys-not-transposed"});
  CHECK(diagnosis.ranks == std::vector<int>{2, 3, 4});
}

}  // namespace grader
