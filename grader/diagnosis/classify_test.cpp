// SPDX-License-Identifier: MIT
// Restraint: what must not be accused, and what must not be excused.
#include "grader/diagnosis/classify.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "grader/diagnosis/rounding.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

struct Fixture {
  explicit Fixture(const std::string& task)
      : cases(public_cases(task)), prepared(prepare_cases(cases)) {}

  Diagnosis judge(const Observations& observations) const {
    return diagnose(observations, prepared, DType::float64);
  }

  std::vector<Case> cases;
  std::vector<PreparedCase> prepared;
};

// The weights after a change, and the output that follows from them.
template <typename Change>
Observations changed(const std::vector<PreparedCase>& prepared,
                     const Formula& formula, Change change) {
  Observations observations = pretend(formula, prepared);
  for (CaseObservation& observation : observations.cases) {
    if (observation.weights) {
      change(*observation.weights, *observation.test_case);
      observation.output = reference::matmul(
          *observation.weights, observation.test_case->arguments.back().tensor);
    }
  }
  return observations;
}

void round_to_float(reference::Tensor& weights, const Case&) {
  for (double& weight : weights.data) {
    weight = static_cast<double>(static_cast<float>(weight));
  }
}

// Nearest float16 of a number in [2^-14, 1].
double to_half(double value) {
  if (value < 0x1p-14) {
    return std::nearbyint(value * 0x1p24) * 0x1p-24;
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
}

void round_to_step(std::optional<reference::Tensor>& tensor, double step) {
  if (tensor) {
    for (double& value : tensor->data) {
      value = std::nearbyint(value / step) * step;
    }
  }
}

// np.round(output, 4), and of the weights as well.
void print_rounded(Observations& observations, double step) {
  for (CaseObservation& one : observations.cases) {
    round_to_step(one.output, step);
    round_to_step(one.weights, step);
    one.output_grid = step;
    one.weights_grid = step;
  }
}

bool names(const Diagnosis& diagnosis, const FaultSet& faults) {
  return diagnosis.faults == faults ||
         std::ranges::find(diagnosis.ties, faults) != diagnosis.ties.end();
}

bool has_note(const Diagnosis& diagnosis, const std::string& note) {
  return std::ranges::find(diagnosis.notes, note) != diagnosis.notes.end();
}

}  // namespace

TEST_CASE("float32 weights are right and noted", "[classify]") {
  const Fixture fixture("attention");
  const Diagnosis diagnosis =
      fixture.judge(changed(fixture.prepared, Formula{}, round_to_float));
  CHECK(diagnosis.verdict == Verdict::correct);
  CHECK(has_note(diagnosis, "single-precision"));
}

TEST_CASE("half precision weights are right and noted", "[classify]") {
  const Fixture fixture("attention");
  const auto half = [](reference::Tensor& weights, const Case&) {
    std::ranges::transform(weights.data, weights.data.begin(), to_half);
  };
  const Diagnosis diagnosis =
      fixture.judge(changed(fixture.prepared, Formula{}, half));
  CHECK(diagnosis.verdict == Verdict::correct);
  CHECK(has_note(diagnosis, "half-precision"));
}

TEST_CASE("a fault in float32 is still named", "[classify]") {
  const Fixture fixture("attention");
  const Diagnosis diagnosis = fixture.judge(
      changed(fixture.prepared, {.scale = scales::by_dk}, round_to_float));
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults == FaultSet{"scale-by-dk"});
  CHECK(has_note(diagnosis, "single-precision"));
}

TEST_CASE("a factor in float32 hides no fault of float64", "[classify]") {
  const Fixture fixture("attention");
  // x / sqrtf(m), exponentials without a shift: doubles but for the factor.
  Observations observations;
  for (const PreparedCase& one : fixture.prepared) {
    const double root =
        std::sqrt(static_cast<double>(one.test_case->dimensions.m));
    observations.cases.push_back(
        pretend_case({.scale = scales::constant(
                          1.0 / static_cast<double>(static_cast<float>(root))),
                      .softmax = Softmax::no_max_shift},
                     one, Answers::output_and_weights));
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(
      std::set<std::string>(diagnosis.faults.begin(), diagnosis.faults.end()) ==
      std::set<std::string>{"scale-by-sqrt-keys", "softmax-no-max-shift"});
  CHECK(has_note(diagnosis, "rounded-scale"));
}

TEST_CASE("results rounded for print are right and noted", "[classify]") {
  const Fixture fixture("attention");
  for (const double step : {1e-4, 1e-5, 1e-6}) {
    Observations observations = pretend(Formula{}, fixture.prepared);
    print_rounded(observations, step);
    const Diagnosis diagnosis = fixture.judge(observations);
    CHECK(diagnosis.verdict == Verdict::correct);
    CHECK(has_note(diagnosis, "rounded-output"));
  }
}

TEST_CASE("a fault in results rounded for print is named, or no other is",
          "[classify]") {
  const Fixture fixture("attention");
  std::size_t named = 0;
  std::size_t faults = 0;
  for (const Hypothesis& single :
       hypotheses_of(fixture.cases.front()).singles) {
    Observations observations = pretend(single.formula, fixture.prepared);
    print_rounded(observations, 1e-4);
    const Diagnosis diagnosis = fixture.judge(observations);
    CAPTURE(single.faults.front(), diagnosis.faults, diagnosis.ties);
    ++faults;
    if (diagnosis.verdict == Verdict::faulty) {
      CHECK(names(diagnosis, single.faults));
      ++named;
    }
  }
  CHECK(named * 10 > faults * 8);
}

TEST_CASE("a scale that is off by 1e-5 is found in float64", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  for (std::size_t i = 0; i < fixture.prepared.size(); ++i) {
    const double right =
        1.0 / std::sqrt(static_cast<double>(fixture.cases[i].dimensions.d_k));
    observations.cases[i] =
        pretend_case({.scale = scales::constant(right * (1.0 + 1e-5))},
                     fixture.prepared[i], Answers::output_and_weights);
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults == FaultSet{"scale-other"});
  REQUIRE(diagnosis.evidence.scale_law);
  CHECK(std::abs(diagnosis.evidence.scale_law->constant - 1.0 - 1e-5) < 1e-9);
}

TEST_CASE("a scale that is off by 1e-4 is found in float32", "[classify]") {
  const Fixture fixture("attention");
  Observations observations;
  for (const PreparedCase& one : fixture.prepared) {
    const Case& test_case = *one.test_case;
    const double right =
        1.0 / std::sqrt(static_cast<double>(test_case.dimensions.d_k));
    CaseObservation observation =
        pretend_case({.scale = scales::constant(right * (1.0 + 1e-4))}, one,
                     Answers::output_and_weights);
    round_to_float(*observation.weights, test_case);
    observations.cases.push_back(observation);
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults == FaultSet{"scale-other"});
}

// (W.half() @ v.half()), W
void halve_output(CaseObservation& observation) {
  if (observation.output && observation.weights) {
    const reference::Tensor& v = observation.test_case->arguments.back().tensor;
    observation.output =
        rounded(reference::matmul(rounded(*observation.weights, DType::float16),
                                  rounded(v, DType::float16)),
                DType::float16);
    observation.output_dtype = DType::float16;
  }
}

Observations with_half_outputs(const std::vector<PreparedCase>& prepared,
                               const Formula& formula) {
  Observations observations = pretend(formula, prepared);
  std::ranges::for_each(observations.cases, halve_output);
  return observations;
}

TEST_CASE("an output in half precision is judged by the weights beside it",
          "[classify]") {
  const Fixture fixture("attention");
  const Diagnosis right =
      fixture.judge(with_half_outputs(fixture.prepared, Formula{}));
  CHECK(right.verdict == Verdict::correct);
  CHECK(has_note(right, "half-precision"));

  const Diagnosis wrong = fixture.judge(
      with_half_outputs(fixture.prepared, {.scale = scales::by_dk}));
  CHECK(wrong.verdict == Verdict::faulty);
  CHECK(wrong.faults == FaultSet{"scale-by-dk"});
}

TEST_CASE("an output in half precision does not excuse what is wrong",
          "[classify]") {
  const Fixture fixture("attention");
  SECTION("the scale of the weights, by 1 %") {
    Observations observations;
    for (const PreparedCase& one : fixture.prepared) {
      const double right =
          1.0 / std::sqrt(static_cast<double>(one.test_case->dimensions.d_k));
      observations.cases.push_back(
          pretend_case({.scale = scales::constant(right * 1.01)}, one,
                       Answers::output_and_weights));
      halve_output(observations.cases.back());
    }
    CHECK(fixture.judge(observations).faults == FaultSet{"scale-other"});
  }
  SECTION("the output, by a tenth") {
    Observations observations = with_half_outputs(fixture.prepared, Formula{});
    for (CaseObservation& observation : observations.cases) {
      for (double& value : observation.output->data) {
        value *= 1.1;
      }
    }
    CHECK(fixture.judge(observations).verdict != Verdict::correct);
  }
}

TEST_CASE("a scale that is off by 1 % is never excused as half precision",
          "[classify]") {
  const Fixture fixture("attention");
  Observations observations;
  for (const PreparedCase& one : fixture.prepared) {
    const Case& test_case = *one.test_case;
    const double right =
        1.0 / std::sqrt(static_cast<double>(test_case.dimensions.d_k));
    CaseObservation observation =
        pretend_case({.scale = scales::constant(right * 1.01)}, one,
                     Answers::output_and_weights);
    std::ranges::transform(observation.weights->data,
                           observation.weights->data.begin(), to_half);
    observation.output = reference::matmul(*observation.weights,
                                           test_case.arguments.back().tensor);
    observations.cases.push_back(observation);
  }
  CHECK(fixture.judge(observations).verdict != Verdict::correct);
}

TEST_CASE("what lies on no grid is no half precision", "[classify]") {
  const Fixture fixture("attention");
  // Scores capped at 50, which moves them by a thousandth or two.
  const auto capped = [](reference::Tensor& weights, const Case&) {
    const auto m = static_cast<std::size_t>(weights.size(-1));
    for (std::size_t start = 0; start < weights.data.size(); start += m) {
      double sum = 0.0;
      for (std::size_t i = start; i < start + m; ++i) {
        weights.data[i] =
            std::exp(50.0 * std::tanh(std::log(weights.data[i]) / 50.0));
        sum += weights.data[i];
      }
      for (std::size_t i = start; i < start + m; ++i) {
        weights.data[i] /= sum;
      }
    }
  };
  CHECK(fixture.judge(changed(fixture.prepared, Formula{}, capped)).verdict !=
        Verdict::correct);
}

TEST_CASE("an answer that is exact but for a loud case is no half precision",
          "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  for (CaseObservation& observation : observations.cases) {
    if (observation.test_case->name == "r2_loud") {
      std::ranges::fill(observation.weights->data, 0.2);
    }
  }
  CHECK(fixture.judge(observations).verdict == Verdict::unclassified);
}

TEST_CASE("an epsilon of 1e-9 is a note, also beside a fault", "[classify]") {
  const Fixture fixture("attention");
  const Diagnosis right =
      fixture.judge(pretend({.epsilon = 1e-9}, fixture.prepared));
  CHECK(right.verdict == Verdict::correct);
  CHECK(has_note(right, "small-epsilon"));
  const Diagnosis faulty = fixture.judge(
      pretend({.scale = scales::none, .epsilon = 1e-9}, fixture.prepared));
  CHECK(faulty.faults == FaultSet{"scale-missing"});
}

TEST_CASE("an epsilon of 1e-3 is a fault, also beside another", "[classify]") {
  const Fixture fixture("attention");
  const Diagnosis alone =
      fixture.judge(pretend({.epsilon = 1e-3}, fixture.prepared));
  CHECK(alone.verdict == Verdict::faulty);
  CHECK(alone.faults == FaultSet{"softmax-large-epsilon"});
  const Diagnosis both = fixture.judge(
      pretend({.scale = scales::by_dk, .epsilon = 1e-3}, fixture.prepared));
  CHECK(both.faults == FaultSet{"scale-by-dk", "softmax-large-epsilon"});
}

TEST_CASE("a mask after the softmax with renormalisation is right",
          "[classify]") {
  const Fixture fixture("masked_attention");
  const Diagnosis diagnosis = fixture.judge(
      pretend({.softmax = Softmax::renormalised_mask}, fixture.prepared));
  CHECK(diagnosis.verdict == Verdict::correct);
}

TEST_CASE("a leak of hidden keys is never rounding", "[classify]") {
  const Fixture fixture("masked_attention");
  const Diagnosis diagnosis = fixture.judge(
      pretend({.fill_form = Fill::added, .fill = -12.0}, fixture.prepared));
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults == FaultSet{"mask-weak-fill"});
  CHECK(diagnosis.evidence.params.at("fill") == "-12");
}

TEST_CASE("a mask that is scaled with the scores is named with its fill",
          "[classify]") {
  const Fixture fixture("masked_attention");
  const Diagnosis diagnosis = fixture.judge(pretend(
      {.fill_form = Fill::added_then_scaled, .fill = -30.0}, fixture.prepared));
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults == FaultSet{"scale-mask-too"});
  CHECK(diagnosis.evidence.params.at("fill") == "-30");
}

TEST_CASE("log2(e) with nine digits is right and noted", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  for (std::size_t i = 0; i < fixture.prepared.size(); ++i) {
    const double right =
        1.0 / std::sqrt(static_cast<double>(fixture.cases[i].dimensions.d_k));
    observations.cases[i] =
        pretend_case({.scale = scales::constant(right * (1.0 - 6e-10))},
                     fixture.prepared[i], Answers::output_and_weights);
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::correct);
  CHECK(has_note(diagnosis, "rounded-scale"));
}

TEST_CASE("an epsilon beside a renormalised mask is a note", "[classify]") {
  const Fixture fixture("masked_attention");
  for (const bool on_shares : {false, true}) {
    const Diagnosis diagnosis =
        fixture.judge(pretend({.softmax = Softmax::renormalised_mask,
                               .epsilon = 1e-9,
                               .epsilon_on_shares = on_shares},
                              fixture.prepared));
    CHECK(diagnosis.verdict == Verdict::correct);
    CHECK(has_note(diagnosis, "small-epsilon"));
  }
}

TEST_CASE("a wrong shape without an error declines no rank", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  for (CaseObservation& observation : observations.cases) {
    if (observation.test_case->rank != 2) {
      observation.output.reset();
      observation.weights.reset();
      observation.shape_problem = "output has shape (2,), expected (2, 3)";
    }
  }
  CHECK(fixture.judge(observations).verdict == Verdict::bad_output);
}

TEST_CASE("a crash in a further call is the verdict", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  observations.further_mishaps.emplace_back(Crashed{.signal = 0});
  CHECK(fixture.judge(observations).verdict == Verdict::crashed);
}

TEST_CASE("who has used something up is not said to give other answers",
          "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  const Raised raised{"OSError", "[Errno 24] Too many open files", ""};
  observations.cases.back().outcome = raised;
  observations.further_mishaps.emplace_back(raised);
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::crashed);
  REQUIRE(diagnosis.cause);
  CHECK(diagnosis.cause->option == "--file-limit");
  CHECK(diagnosis.notes.empty());
}

TEST_CASE("a constant scale is named with its number", "[classify]") {
  const Fixture fixture("attention");
  const Diagnosis diagnosis = fixture.judge(
      pretend({.scale = scales::constant(0.125)}, fixture.prepared));
  CHECK(diagnosis.faults == FaultSet{"scale-constant"});
  CHECK(diagnosis.evidence.params.at("constant") == "0.125");
  CHECK(diagnosis.summary.find("right at d_k = 64 only") != std::string::npos);
}

TEST_CASE("a fault of one rank leaves the others right", "[classify]") {
  const Fixture fixture("attention");
  Observations observations;
  for (const PreparedCase& one : fixture.prepared) {
    const Case& test_case = *one.test_case;
    const Formula formula =
        test_case.rank == 4 ? Formula{.scale = scales::by_sqrt(SizeAxis::heads)}
                            : Formula{};
    observations.cases.push_back(
        pretend_case(formula, one, Answers::output_and_weights));
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.faults == FaultSet{"scale-by-sqrt-heads"});
  CHECK(diagnosis.faults_by_rank.at(2).empty());
  CHECK(diagnosis.faults_by_rank.at(3).empty());
  CHECK(diagnosis.faults_by_rank.at(4) == FaultSet{"scale-by-sqrt-heads"});
  CHECK(diagnosis.score == 0.75);
}

TEST_CASE("shape[1] is a different axis in every rank", "[classify]") {
  const Fixture fixture("attention");
  Observations observations;
  for (const PreparedCase& one : fixture.prepared) {
    const Case& test_case = *one.test_case;
    Formula formula;
    if (test_case.rank == 3) {
      formula.scale = scales::by_sqrt(SizeAxis::keys);
    } else if (test_case.rank == 4) {
      formula.scale = scales::by_sqrt(SizeAxis::heads);
    }
    observations.cases.push_back(
        pretend_case(formula, one, Answers::output_and_weights));
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.faults_by_rank.at(2).empty());
  CHECK(diagnosis.faults_by_rank.at(3) == FaultSet{"scale-by-sqrt-keys"});
  CHECK(diagnosis.faults_by_rank.at(4) == FaultSet{"scale-by-sqrt-heads"});
}

TEST_CASE("a rank on which every call fails is declined", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  for (CaseObservation& observation : observations.cases) {
    if (observation.test_case->rank != 2) {
      observation.output.reset();
      observation.weights.reset();
      observation.outcome =
          Raised{.type = "ValueError", .message = "2-D only", .traceback = ""};
    }
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::correct);
  CHECK(diagnosis.ranks == std::vector<int>{2});
  CHECK(has_note(diagnosis, "rank-declined"));
}

TEST_CASE("an exception that nothing explains is a crash", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  CaseObservation& first = observations.cases.front();
  first.output.reset();
  first.weights.reset();
  first.outcome =
      Raised{.type = "KeyError", .message = "'d'", .traceback = "line 3"};
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::crashed);
  CHECK(diagnosis.cause->detail == "line 3");
}

TEST_CASE("nothing is explained by exceptions alone", "[classify]") {
  const Fixture fixture("attention");
  Observations observations =
      pretend({.product = Product::keys_not_transposed}, fixture.prepared);
  for (CaseObservation& observation : observations.cases) {
    if (is_silent(observation)) {
      observation.output.reset();
      observation.weights.reset();
      observation.outcome =
          Raised{.type = "ValueError", .message = "shapes", .traceback = ""};
    }
  }
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::crashed);
  CHECK(diagnosis.faults.empty());
}

TEST_CASE("a crash or a hang on any case is the verdict", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  observations.cases.back().outcome = Crashed{.signal = 11};
  CHECK(fixture.judge(observations).verdict == Verdict::crashed);
  observations.cases.front().outcome =
      TimedOut{.limit = TimeLimit::idle, .seconds = 5.0};
  const Diagnosis diagnosis = fixture.judge(observations);
  CHECK(diagnosis.verdict == Verdict::timed_out);
  CHECK(diagnosis.cause->limit == "5 s without CPU time");
}

TEST_CASE("right numbers that do not come back twice are not correct",
          "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  observations.same_answer_twice = false;
  const Diagnosis twice = fixture.judge(observations);
  CHECK(twice.verdict == Verdict::unclassified);
  CHECK(twice.evidence.stage == "repeatability");
  observations.same_answer_twice = true;
  observations.same_without_weights = false;
  CHECK(fixture.judge(observations).verdict == Verdict::unclassified);
}

TEST_CASE("NaN where the answer is a number is bad output", "[classify]") {
  const Fixture fixture("attention");
  Observations observations = pretend(Formula{}, fixture.prepared);
  for (CaseObservation& observation : observations.cases) {
    observation.output->data.front() = std::nan("");
  }
  CHECK(fixture.judge(observations).verdict == Verdict::bad_output);
}

}  // namespace grader
