// SPDX-License-Identifier: MIT
#include "grader/diagnosis/self_test.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "grader/diagnosis/case_fit.hpp"
#include "grader/diagnosis/diagnosis.hpp"

namespace grader {
namespace {

std::string join(const FaultSet& faults) {
  std::string text;
  for (const std::string& fault : faults) {
    text += (text.empty() ? "" : "+") + fault;
  }
  return text;
}

std::set<std::string> sorted(const FaultSet& faults) {
  return {faults.begin(), faults.end()};
}

bool names(const Diagnosis& diagnosis, const FaultSet& faults) {
  return sorted(diagnosis.faults) == sorted(faults) ||
         std::ranges::any_of(diagnosis.ties, [&](const FaultSet& tie) {
           return sorted(tie) == sorted(faults);
         });
}

bool is_part_of(const FaultSet& part, const FaultSet& whole) {
  return std::ranges::includes(sorted(whole), sorted(part));
}

bool names_part(const Diagnosis& diagnosis, const FaultSet& faults) {
  return is_part_of(diagnosis.faults, faults) ||
         std::ranges::any_of(diagnosis.ties, [&](const FaultSet& tie) {
           return is_part_of(tie, faults);
         });
}

// A right form, or a hypothesis with the faults it stands for.
struct Part {
  std::string name;
  FaultSet faults;  // empty: right
  Formula formula;
};

std::vector<Part> right_forms(const HypothesisSet& hypotheses,
                              MaskMode mask_mode) {
  std::vector<Part> parts = {{"the plain form", {}, {}}};
  for (const Formula& form : hypotheses.correct_forms) {
    if (form != Formula{}) {
      parts.push_back({"a mask after the softmax, renormalised", {}, form});
    }
  }
  parts.push_back({"a checked denominator", {}, {.guarded = true}});
  for (const double epsilon : {1e-12, 1e-9, 1e-6}) {
    parts.push_back({"a small epsilon", {}, {.epsilon = epsilon}});
  }
  if (mask_mode != MaskMode::none) {
    const auto late = Softmax::renormalised_mask;
    parts.push_back({"a least denominator after a late mask",
                     {},
                     {.softmax = late,
                      .epsilon = 1e-9,
                      .epsilon_on_shares = true,
                      .epsilon_is_least = true}});
    parts.push_back(
        {"a fill of -1e9", {}, {.fill_form = Fill::large_negative}});
    parts.push_back(
        {"-1e9 added", {}, {.fill_form = Fill::large_negative_added}});
  }
  return parts;
}

class Stage {
 public:
  Stage(const std::vector<PreparedCase>& prepared, const SelfTestPlan& plan)
      : prepared_(prepared), plan_(plan), cases_(prepared, plan.precision) {}

  void play(const Part& part, const std::vector<int>& ranks,
            std::map<Played, int>& counts, SelfTestResult& result) const {
    const Observations observations =
        cases_.pretend(part.formula, plan_.answers, ranks);
    if (!shows_numbers(observations)) {
      return;  // loud throughout: it has no numbers to prove anything by
    }
    const Diagnosis diagnosis =
        diagnose(observations, prepared_, DType::float64);
    const Played outcome = part.faults.empty()
                               ? judge_right(diagnosis)
                               : judge(part, diagnosis, observations);
    ++counts[outcome];
    if (outcome == Played::undecided || outcome == Played::misnamed ||
        outcome == Played::doubted || outcome == Played::missed ||
        outcome == Played::accused) {
      result.confusions.push_back({part.name, answer_text(diagnosis),
                                   describe(ranks), outcome,
                                   part.faults.size() > 1});
    }
  }

 private:
  // NaN throughout could be anything.
  static bool shows_numbers(const Observations& observations) {
    return std::ranges::any_of(
        observations.cases, [](const CaseObservation& one) {
          return one.output &&
                 std::ranges::any_of(one.output->data, [](double value) {
                   return std::isfinite(value);
                 });
        });
  }

  static Played judge_right(const Diagnosis& diagnosis) {
    switch (diagnosis.verdict) {
      case Verdict::correct:
        return Played::right;
      case Verdict::faulty:
        return Played::accused;
      default:
        return Played::undecided;
    }
  }

  Played judge(const Part& part, const Diagnosis& diagnosis,
               const Observations& observations) const {
    if (diagnosis.verdict == Verdict::correct) {
      return is_shown(observations) ? Played::missed : Played::unseen;
    }
    if (diagnosis.verdict != Verdict::faulty) {
      return is_shown(observations) ? Played::undecided : Played::unseen;
    }
    if (names(diagnosis, part.faults)) {
      return Played::named;
    }
    if (names_part(diagnosis, part.faults)) {
      return Played::partly;
    }
    return is_half(plan_.precision) && diagnosis.certainty == "tied"
               ? Played::doubted
               : Played::misnamed;
  }

  // Some case is clearly off at this precision.
  bool is_shown(const Observations& observations) const {
    constexpr double clear = 4.0;
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      const Evidenced evidenced{&prepared_[i], &observations.cases[i]};
      if (is_informative(prepared_[i], unit_roundoff(plan_.precision)) &&
          is_silent(observations.cases[i]) &&
          fit_case(Formula{}, evidenced, plan_.precision).ratio > clear) {
        return true;
      }
    }
    return false;
  }

  static std::string answer_text(const Diagnosis& diagnosis) {
    if (diagnosis.verdict != Verdict::faulty) {
      return to_string(diagnosis.verdict);
    }
    std::string text = join(diagnosis.faults);
    for (const FaultSet& tie : diagnosis.ties) {
      text += " or " + join(tie);
    }
    return text + " (" + diagnosis.certainty + ")";
  }

  std::string describe(const std::vector<int>& ranks) const {
    std::string text = to_string(plan_.precision);
    text += plan_.answers == Answers::output_only ? ", output only" : "";
    return ranks.empty() ? text
                         : text + ", rank " + std::to_string(ranks.front());
  }

  const std::vector<PreparedCase>& prepared_;
  const SelfTestPlan& plan_;
  RoundedCases cases_;
};

// No restriction, then each rank by itself where there are several.
std::vector<std::vector<int>> rank_choices(
    const std::vector<PreparedCase>& prepared, bool ranks_alone) {
  std::set<int> ranks;
  for (const PreparedCase& one : prepared) {
    ranks.insert(one.test_case->rank);
  }
  std::vector<std::vector<int>> choices = {{}};
  if (ranks_alone && ranks.size() > 1) {
    for (const int rank : ranks) {
      choices.push_back({rank});
    }
  }
  return choices;
}

}  // namespace

void SelfTestResult::add(const SelfTestResult& other) {
  const auto add_counts = [](const std::map<Played, int>& from,
                             std::map<Played, int>& to) {
    for (const auto& [outcome, count] : from) {
      to[outcome] += count;
    }
  };
  add_counts(other.singles, singles);
  add_counts(other.doubles, doubles);
  add_counts(other.right_forms, right_forms);
  confusions.insert(confusions.end(), other.confusions.begin(),
                    other.confusions.end());
}

bool SelfTestResult::is_clean() const {
  const bool singles_are_named =
      std::ranges::none_of(confusions, [](const Confusion& confusion) {
        return !confusion.is_pair && (confusion.outcome == Played::misnamed ||
                                      confusion.outcome == Played::accused);
      });
  int pairs = 0;
  for (const auto& [outcome, count] : doubles) {
    pairs += count;
  }
  const auto misnamed = doubles.find(Played::misnamed);
  return singles_are_named &&
         (misnamed == doubles.end() || misnamed->second * 100 <= pairs);
}

SelfTestResult run_self_test(const std::vector<PreparedCase>& prepared,
                             const SelfTestPlan& plan) {
  const Case& first = *prepared.front().test_case;
  const HypothesisSet& hypotheses = hypotheses_of(first);
  const Stage stage(prepared, plan);
  SelfTestResult result;
  const auto play_every = [&](int step, const std::vector<Hypothesis>& played,
                              const std::vector<int>& ranks,
                              std::map<Played, int>& counts) {
    for (std::size_t i = 0; i < played.size();
         i += static_cast<std::size_t>(step)) {
      stage.play({join(played[i].faults), played[i].faults, played[i].formula},
                 ranks, counts, result);
    }
  };
  for (const std::vector<int>& ranks :
       rank_choices(prepared, plan.ranks_alone)) {
    for (const Part& part : right_forms(hypotheses, first.mask_mode)) {
      stage.play(part, ranks, result.right_forms, result);
    }
    if (plan.singles) {
      play_every(plan.single_step, hypotheses.singles, ranks, result.singles);
    }
  }
  if (plan.doubles) {
    play_every(plan.double_step, hypotheses.doubles, {}, result.doubles);
  }
  return result;
}

}  // namespace grader
