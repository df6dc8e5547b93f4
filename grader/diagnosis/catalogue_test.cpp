// SPDX-License-Identifier: MIT
#include "grader/diagnosis/catalogue.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

using grader::catalogue;
using grader::Fault;
using grader::find_fault;

TEST_CASE("a fault is found by its id", "[catalogue]") {
  const Fault* fault = find_fault("scale-by-dk");
  REQUIRE(fault != nullptr);
  CHECK(fault->sentence == "The scores are divided by d_k, not by sqrt(d_k).");
  CHECK(fault->severity == grader::Severity::structural);
  CHECK(find_fault("scale-mask-too")->severity ==
        grader::Severity::conditional);
  CHECK(find_fault("softmax-no-max-shift")->severity ==
        grader::Severity::robustness);
}

TEST_CASE("an id that no fault has is found nowhere", "[catalogue]") {
  CHECK(find_fault("scale") == nullptr);
  CHECK(find_fault("") == nullptr);
}

TEST_CASE("the faults are those of the contract, in its order", "[catalogue]") {
  const std::vector<std::string> expected = {"scale-missing",
                                             "scale-by-dk",
                                             "scale-inverted",
                                             "scale-half-dk",
                                             "scale-twice",
                                             "scale-fourth-root",
                                             "scale-by-sqrt-dmodel",
                                             "scale-by-dmodel",
                                             "scale-by-sqrt-heads",
                                             "scale-by-heads",
                                             "scale-by-sqrt-keys",
                                             "scale-by-keys",
                                             "scale-by-sqrt-queries",
                                             "scale-by-queries",
                                             "scale-by-sqrt-dv",
                                             "scale-by-dv",
                                             "scale-by-sqrt-batch",
                                             "scale-by-batch",
                                             "scale-constant",
                                             "scale-zero",
                                             "scale-negated",
                                             "scale-values",
                                             "scale-after-softmax",
                                             "scale-mask-too",
                                             "scale-other",
                                             "keys-transposed-all-axes",
                                             "keys-not-transposed",
                                             "keys-reshaped",
                                             "scores-transposed",
                                             "queries-with-queries",
                                             "keys-with-keys",
                                             "features-truncated",
                                             "batch-mixed",
                                             "heads-mixed",
                                             "tokens-heads-swapped",
                                             "cosine-scores",
                                             "mask-ignored",
                                             "mask-inverted",
                                             "mask-transposed",
                                             "mask-first-batch-only",
                                             "mask-heads-misordered",
                                             "mask-after-softmax",
                                             "mask-zero-fill",
                                             "mask-added",
                                             "mask-tiny-fill",
                                             "mask-weak-fill",
                                             "mask-nan",
                                             "causal-missing",
                                             "causal-strict",
                                             "causal-one-ahead",
                                             "causal-reversed",
                                             "causal-unasked",
                                             "softmax-over-queries",
                                             "softmax-over-batch",
                                             "softmax-over-heads",
                                             "softmax-over-all",
                                             "softmax-over-singleton",
                                             "softmax-missing",
                                             "softmax-unnormalised",
                                             "softmax-keepdims-lost",
                                             "softmax-twice",
                                             "softmax-base-2",
                                             "softmax-negated",
                                             "softmax-sigmoid",
                                             "softmax-relu",
                                             "softmax-plus-one",
                                             "softmax-log",
                                             "softmax-l2",
                                             "softmax-no-max-shift",
                                             "softmax-global-max",
                                             "softmax-constant-shift",
                                             "softmax-large-epsilon",
                                             "weights-transposed",
                                             "values-replaced",
                                             "values-averaged",
                                             "heads-split-by-reshape",
                                             "heads-merged-by-reshape",
                                             "heads-averaged",
                                             "heads-reordered",
                                             "heads-shared-projection",
                                             "projection-transposed",
                                             "projections-swapped",
                                             "projection-missing",
                                             "projection-activated",
                                             "output-projection-missing",
                                             "output-projection-transposed",
                                             "output-residual-added",
                                             "gqa-tiled",
                                             "gqa-first-head-only",
                                             "integer-truncation",
                                             "nondeterministic",
                                             "stateful",
                                             "library-attention",
                                             "forbidden-call"};
  std::vector<std::string> ids;
  for (const Fault& fault : catalogue()) {
    ids.push_back(fault.id);
  }
  CHECK(ids == expected);
}

TEST_CASE("every fault has a text for every use", "[catalogue]") {
  for (const Fault& fault : catalogue()) {
    INFO(fault.id);
    CHECK_FALSE(fault.title.empty());
    CHECK(fault.sentence.size() <= 76);  // one line of the report
    CHECK(fault.sentence.back() == '.');
    CHECK_FALSE(fault.formula.empty());
    CHECK(fault.explanation.size() > 150);
    CHECK_FALSE(fault.fix.empty());
    CHECK(fault.hints.size() == 3);
    CHECK(fault.questions.size() >= 2);
    CHECK(fault.questions.size() <= 3);
    for (const grader::Question& question : fault.questions) {
      CHECK(question.question.back() == '?');
      CHECK(question.answer.back() == '.');
    }
    CHECK(fault.wrong_answers.size() >= 1);
    CHECK(fault.wrong_answers.size() <= 3);
    for (const grader::WrongAnswer& wrong : fault.wrong_answers) {
      CHECK(wrong.answer.back() == '.');
      CHECK(wrong.why.back() == '.');
    }
  }
}
