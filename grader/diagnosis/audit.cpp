// SPDX-License-Identifier: MIT
#include "grader/diagnosis/audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "grader/diagnosis/evidence.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {
namespace {

using reference::Tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();

// What one variant says of one case.
struct Answer {
  bool applies = false;
  bool is_loud = false;
  CachedWeights weights;
  CachedOutput output;
};

// Nobody takes another head's rows where there are no heads.
bool has_entries(EntryMap map, const Case& test_case) {
  const bool has_batch = test_case.dimensions.batch != 0;
  const bool has_heads = test_case.dimensions.heads != 0;
  switch (map) {
    case EntryMap::own:
      return true;
    case EntryMap::first_batch:
    case EntryMap::next_batch:
    case EntryMap::previous_batch:
    case EntryMap::reversed_batch:
      return has_batch;
    case EntryMap::first_head:
    case EntryMap::next_head:
    case EntryMap::previous_head:
    case EntryMap::reversed_heads:
    case EntryMap::next_key_head:
    case EntryMap::previous_key_head:
      return has_heads;
    case EntryMap::sum:
    case EntryMap::batch_only:
    case EntryMap::heads_outer:
      return has_batch && has_heads;
  }
  return true;
}

bool has_meaning(const Formula& formula, const Case& test_case) {
  return applies(formula, test_case) && has_axis(formula.scale, test_case) &&
         has_entries(formula.queries_of, test_case) &&
         has_entries(formula.keys_of, test_case) &&
         has_entries(formula.values_of, test_case) &&
         (formula.split != HeadSplit::not_transposed ||
          test_case.dimensions.heads != 0);
}

Answer answer_of(const Formula& formula, const PreparedCase& prepared) {
  Answer answer;
  answer.applies = has_meaning(formula, *prepared.test_case);
  if (!answer.applies) {
    return answer;
  }
  answer.weights = make_weights(formula, prepared.inputs, DType::float64);
  answer.is_loud = !answer.weights.prediction.loud.empty();
  if (!answer.is_loud) {
    answer.output = make_output(formula, prepared.inputs, answer.weights);
    answer.is_loud = !answer.output.prediction.loud.empty();
  }
  return answer;
}

// Numbers beyond 1 are known relative to their size only.
struct Sized {
  const Tensor* numbers;
  const std::vector<double>* sizes;
  double size(std::size_t i) const {
    return sizes->empty() ? 1.0 : (*sizes)[i];
  }
};

// max |a - b| / size over the rows that count, as max_error().
double sized_error(const Sized& a, const Sized& b,
                   const std::vector<std::uint8_t>& ignored) {
  const auto width = static_cast<std::size_t>(a.numbers->size(-1));
  double worst = 0.0;
  for (std::size_t i = 0; i < a.numbers->data.size(); ++i) {
    if (!ignored.empty() && ignored[i / width] != 0) {
      continue;
    }
    const double first = a.numbers->data[i];
    const double second = b.numbers->data[i];
    if (std::isfinite(first) != std::isfinite(second)) {
      return infinity;
    }
    if (std::isfinite(first)) {
      worst = std::max(
          worst, std::abs(first - second) / std::max(a.size(i), b.size(i)));
    }
  }
  return worst;
}

double largest_finite(const Tensor& tensor) {
  double largest = 0.0;
  for (const double value : tensor.data) {
    largest =
        std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  }
  return largest;
}

// Measures one case: the tolerance is that of diagnosis, the wider of what the
// two answers would be allowed.
class Ruler {
 public:
  Ruler(const PreparedCase& prepared, const AuditRule& rule)
      : basis_(prepared.basis),
        rule_(rule),
        right_output_(largest_finite(prepared.test_case->expected.output)) {}

  double distance(const Answer& a, const Answer& b) const {
    if (!a.applies || !b.applies || (a.is_loud && b.is_loud)) {
      return 0.0;
    }
    if (a.is_loud != b.is_loud) {
      return infinity;
    }
    const Tolerance limit = rule_.tolerance
                                ? Tolerance{*rule_.tolerance, *rule_.tolerance}
                                : derived(a, b);
    const double output =
        sized_error(outputs(a), outputs(b), basis_.ignored.output) /
        limit.output;
    return rule_.output_only ? output
                             : std::max(output, weights_distance(a, b, limit));
  }

 private:
  double weights_distance(const Answer& a, const Answer& b,
                          const Tolerance& limit) const {
    const CachedWeights& first = a.weights;
    const CachedWeights& second = b.weights;
    if (first.prediction.weights.shape != second.prediction.weights.shape) {
      return infinity;
    }
    if (first.prediction.weights_misfit) {
      return 0.0;  // wrong alike, and no case to compare rows by
    }
    return sized_error({&first.prediction.weights, sizes(first.sizes)},
                       {&second.prediction.weights, sizes(second.sizes)},
                       basis_.ignored.weights) /
           limit.weights;
  }

  Tolerance derived(const Answer& a, const Answer& b) const {
    ErrorScale scale = basis_.error_scale;
    scale.score = std::max(
        {scale.score, a.weights.prediction.score, b.weights.prediction.score});
    Tolerance limit = derive_tolerance(scale, unit_roundoff(DType::float32));
    const double largest = std::max(a.weights.largest, b.weights.largest);
    const double magnitude = largest == 0.0 ? 1.0 : std::min(1.0, largest);
    limit.weights *= magnitude;
    limit.output *= magnitude;
    if (a.output.sizes.empty() && b.output.sizes.empty() &&
        right_output_ > 0.0) {
      limit.output *= std::max(
          1.0, std::max(a.output.largest, b.output.largest) / right_output_);
    }
    return limit;
  }

  Sized outputs(const Answer& answer) const {
    return {&answer.output.prediction.output, sizes(answer.output.sizes)};
  }

  // An absolute tolerance knows of no sizes.
  const std::vector<double>* sizes(const std::vector<double>& of_answer) const {
    static const std::vector<double> none;
    return rule_.tolerance ? &none : &of_answer;
  }

  const CaseBasis& basis_;
  const AuditRule& rule_;
  double right_output_;
};

std::vector<AuditedVariant> variants_for(const std::vector<Case>& cases) {
  std::vector<AuditedVariant> variants{{.fault = "correct", .formula = {}}};
  std::map<std::string, int> counts;
  const HypothesisSet& set =
      hypotheses_of(cases.front().kind, cases.front().mask_mode);
  for (const Hypothesis& hypothesis : set.singles) {
    const bool has_case =
        std::ranges::any_of(cases, [&](const Case& test_case) {
          return has_meaning(hypothesis.formula, test_case);
        });
    if (has_case) {
      const std::string& fault = hypothesis.faults.front();
      variants.push_back({.fault = fault,
                          .number = ++counts[fault],
                          .formula = hypothesis.formula});
    }
  }
  for (AuditedVariant& variant : variants) {
    variant.count = std::max(1, counts[variant.fault]);
  }
  return variants;
}

// Every pair of variants of different faults, apart as far as the cases so far
// put them.
class Pairs {
 public:
  explicit Pairs(const std::vector<AuditedVariant>& variants)
      : variants_(variants) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      for (std::size_t j = i + 1; j < variants.size(); ++j) {
        if (variants[i].fault != variants[j].fault) {
          pairs_.push_back({.first = i, .second = j});
        }
      }
    }
  }

  void add_case(std::size_t index, const std::vector<Answer>& answers,
                const Ruler& ruler) {
    for (AuditPair& pair : pairs_) {
      if (pair.distance >= well_apart ||
          variants_[pair.first].formula == variants_[pair.second].formula) {
        continue;
      }
      const double distance =
          ruler.distance(answers[pair.first], answers[pair.second]);
      if (distance > pair.distance) {
        pair.distance = distance;
        pair.case_index = index;
      }
    }
  }

  void settle(double margin, Audit& audit) const {
    for (const AuditPair& pair : pairs_) {
      if (pair.distance <= margin) {
        audit.ties.push_back(pair);
      } else if (!audit.closest || pair.distance < audit.closest->distance) {
        audit.closest = pair;
      }
    }
  }

 private:
  const std::vector<AuditedVariant>& variants_;
  std::vector<AuditPair> pairs_;
};

std::vector<Answer> answers_of(const std::vector<AuditedVariant>& variants,
                               const PreparedCase& prepared) {
  std::vector<Answer> answers;
  answers.reserve(variants.size());
  for (const AuditedVariant& variant : variants) {
    answers.push_back(answer_of(variant.formula, prepared));
  }
  return answers;
}

void add_column(const std::vector<Answer>& answers, const Ruler& ruler,
                Audit& audit) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    audit.cells[i].push_back(
        {.applies = answers[i].applies,
         .is_loud = answers[i].is_loud,
         .distance = ruler.distance(answers[i], answers.front())});
  }
}

}  // namespace

Audit audit_cases(const std::vector<Case>& cases, const AuditRule& rule) {
  Audit audit;
  audit.rule = rule;
  audit.variants = variants_for(cases);
  audit.cells.resize(audit.variants.size());
  Pairs pairs(audit.variants);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    audit.cases.push_back(&cases[i]);
    const PreparedCase prepared{.test_case = &cases[i],
                                .inputs = make_inputs(cases[i]),
                                .basis = make_basis(cases[i]),
                                .predictions = nullptr};
    const std::vector<Answer> answers = answers_of(audit.variants, prepared);
    const Ruler ruler(prepared, rule);
    add_column(answers, ruler, audit);
    pairs.add_case(i, answers, ruler);
  }
  pairs.settle(rule.margin(), audit);
  return audit;
}

bool passes_as_correct(const Audit& audit, std::size_t variant) {
  return std::ranges::any_of(audit.ties, [&](const AuditPair& tie) {
    return tie.first == 0 && tie.second == variant;
  });
}

std::vector<AuditedFault> faults_of(const Audit& audit) {
  std::vector<AuditedFault> faults;
  for (std::size_t i = 1; i < audit.variants.size(); ++i) {
    const std::string& id = audit.variants[i].fault;
    auto fault = std::ranges::find(faults, id, &AuditedFault::id);
    if (fault == faults.end()) {
      fault = faults.insert(faults.end(), {.id = id, .variants = {}});
    }
    fault->variants.push_back(i);
    fault->passing += passes_as_correct(audit, i) ? 1 : 0;
  }
  return faults;
}

bool is_never_silent(const Audit& audit, std::size_t variant) {
  return std::ranges::all_of(audit.cells[variant], [](const AuditCell& cell) {
    return !cell.applies || cell.is_loud;
  });
}

std::vector<std::vector<std::size_t>> classes_of(
    const Audit& audit, const std::vector<AuditPair>& ties) {
  std::vector<std::size_t> lowest(audit.variants.size());
  std::iota(lowest.begin(), lowest.end(), std::size_t{0});
  for (const AuditPair& tie : ties) {
    const auto [low, high] =
        std::minmax({lowest[tie.first], lowest[tie.second]});
    std::ranges::replace(lowest, high, low);
  }
  std::map<std::size_t, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < lowest.size(); ++i) {
    classes[lowest[i]].push_back(i);
  }
  std::vector<std::vector<std::size_t>> result;
  for (const auto& [low, members] : classes) {
    if (members.size() > 1) {
      result.push_back(members);
    }
  }
  return result;
}

}  // namespace grader
