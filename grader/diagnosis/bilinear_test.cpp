// SPDX-License-Identifier: MIT
#include "grader/diagnosis/bilinear.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "grader/fixture/argument.hpp"
#include "reference/random.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

using reference::Tensor;

// The score of one query and one key of width d.
using Score = double (*)(const double* q, const double* k, std::size_t d);

double reversed(const double* q, const double* k, std::size_t d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    sum += q[i] * k[d - 1 - i];
  }
  return sum / std::sqrt(static_cast<double>(d));
}

double standardised(const double* q, const double* k, std::size_t d) {
  const auto n = static_cast<double>(d);
  double mean_q = 0.0;
  double mean_k = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    mean_q += q[i] / n;
    mean_k += k[i] / n;
  }
  double qq = 0.0;
  double kk = 0.0;
  double qk = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    qq += (q[i] - mean_q) * (q[i] - mean_q);
    kk += (k[i] - mean_k) * (k[i] - mean_k);
    qk += (q[i] - mean_q) * (k[i] - mean_k);
  }
  return std::sqrt(n) * qk / std::sqrt(qq * kk);
}

double cubed(const double* q, const double* k, std::size_t d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    sum += q[i] * k[i];
  }
  return sum * sum * sum / static_cast<double>(d * d);
}

double over_log(const double* q, const double* k, std::size_t d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    sum += q[i] * k[i];
  }
  return sum / std::log(static_cast<double>(d));
}

void set_answer(const Case& test_case, Score score,
                CaseObservation& observation) {
  const Tensor& q = argument(test_case, "q");
  const Tensor& k = argument(test_case, "k");
  Tensor weights(test_case.expected.weights.shape);
  const auto n = static_cast<std::size_t>(weights.size(-2));
  const auto m = static_cast<std::size_t>(weights.size(-1));
  const auto d = static_cast<std::size_t>(q.size(-1));
  for (std::size_t row = 0; row * m < weights.data.size(); ++row) {
    double* w = &weights.data[row * m];
    double sum = 0.0;
    double largest = -INFINITY;
    for (std::size_t j = 0; j < m; ++j) {
      w[j] = score(&q.data[row * d], &k.data[(row / n * m + j) * d], d);
      largest = std::max(largest, w[j]);
    }
    for (std::size_t j = 0; j < m; ++j) {
      w[j] = std::exp(w[j] - largest);
      sum += w[j];
    }
    std::for_each(w, w + m, [sum](double& weight) { weight /= sum; });
  }
  observation.output = reference::matmul(weights, argument(test_case, "v"));
  observation.weights = std::move(weights);
  observation.weights_source = WeightsSource::returned;
}

Diagnosis diagnose_score(Score score) {
  const std::vector<Case> cases = public_cases("attention");
  Observations observations;
  for (const Case& test_case : cases) {
    CaseObservation observation;
    observation.test_case = &test_case;
    observation.outcome = Returned{};
    set_answer(test_case, score, observation);
    observations.cases.push_back(std::move(observation));
  }
  return diagnose(observations, prepare_cases(cases), DType::float64);
}

}  // namespace

TEST_CASE("features in another order are found where nothing has a name",
          "[bilinear]") {
  const Diagnosis diagnosis = diagnose_score(reversed);
  CHECK(diagnosis.verdict == Verdict::unclassified);
  REQUIRE(diagnosis.evidence.bilinear);
  CHECK(diagnosis.evidence.bilinear->text ==
        "the features of queries or keys are in reversed order "
        "(times 1/sqrt(d_k)); seen where d_k is 4 to 15");
  CHECK(diagnosis.evidence.bilinear->cases >= 4);
  CHECK(diagnosis.summary.find("reversed order") != std::string::npos);
}

TEST_CASE("standardised vectors are found", "[bilinear]") {
  const Diagnosis diagnosis = diagnose_score(standardised);
  CHECK(diagnosis.verdict == Verdict::unclassified);
  REQUIRE(diagnosis.evidence.bilinear);
  CHECK(diagnosis.evidence.bilinear->text ==
        "the queries are standardised (mean 0, variance 1); the keys are "
        "standardised (mean 0, variance 1); otherwise q k^T "
        "(times 1/sqrt(d_k)); seen where d_k is 4 to 16");
}

TEST_CASE("scores that are not linear have no bilinear form", "[bilinear]") {
  const Diagnosis diagnosis = diagnose_score(cubed);
  CHECK(diagnosis.verdict == Verdict::unclassified);
  CHECK(!diagnosis.evidence.bilinear);
}

TEST_CASE("a scale that is no power of the sizes is told by its values",
          "[free_scale]") {
  const Diagnosis diagnosis = diagnose_score(over_log);
  CHECK(diagnosis.faults == std::vector<std::string>{"scale-other"});
  CHECK(diagnosis.certainty == "fitted");
  CHECK(diagnosis.evidence.params.at("factors") ==
        "0.7213 at d_k = 4, 0.2282 at d_k = 80");
}

}  // namespace grader
