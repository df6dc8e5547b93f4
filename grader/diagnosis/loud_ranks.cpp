// SPDX-License-Identifier: MIT
#include "grader/diagnosis/loud_ranks.hpp"

#include <algorithm>

#include "grader/diagnosis/params.hpp"

namespace grader {
namespace {

constexpr const char* exchanged_keys = "keys-transposed-all-axes";

// Nothing lines up that a wrong transpose could take for another.
bool has_distinct_sizes(const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  std::vector<std::int64_t> sizes{
      dimensions.batch,
      dimensions.kv_heads > 0 ? dimensions.kv_heads : dimensions.heads,
      dimensions.m, dimensions.d_k};
  std::erase(sizes, 0);  // no such axis
  std::ranges::sort(sizes);
  return sizes.front() > 1 && std::ranges::adjacent_find(sizes) == sizes.end();
}

bool is_loud_rank(const std::vector<Evidenced>& cases) {
  bool raised = false;
  for (const Evidenced& one : cases) {
    if (has_distinct_sizes(one.test_case())) {
      if (!std::holds_alternative<Raised>(one.observation->outcome)) {
        return false;
      }
      raised = true;
    }
  }
  return raised;
}

// Axis 1 is another one on another rank, for the softmax and for shape[1] too;
// that shows only where the product runs at all.
std::vector<Softmax> softmaxes(const Formula& base) {
  std::vector<Softmax> result{base.softmax};
  if (base.softmax == Softmax::over_keys ||
      base.softmax == Softmax::no_max_shift) {
    result.insert(result.end(), {Softmax::over_queries, Softmax::over_heads,
                                 Softmax::over_batch});
  }
  return result;
}

std::vector<Scale> scales_by_shape(const Formula& base) {
  std::vector<Scale> result{base.scale};
  if (base.scale.axis == SizeAxis::d_k && base.scale.exponent != 0.0) {
    for (const SizeAxis axis : {SizeAxis::keys, SizeAxis::queries,
                                SizeAxis::heads, SizeAxis::batch}) {
      result.push_back({base.scale.factor, axis, base.scale.exponent});
    }
  }
  return result;
}

// The keys' axes exchanged, with whatever else is counted from the front.
std::vector<Formula> slips(const Formula& base) {
  std::vector<Formula> result;
  for (const Product product :
       {Product::keys_all_axes, Product::keys_leading_axes,
        Product::keys_first_axes}) {
    for (const Softmax softmax : softmaxes(base)) {
      for (const Scale& scale : scales_by_shape(base)) {
        Formula formula = base;
        formula.product = product;
        formula.softmax = softmax;
        formula.scale = scale;
        result.push_back(formula);
      }
    }
  }
  return result;
}

struct Slip {
  Product product = Product::keys_all_axes;
  FormulaFit fit;
};

// What explains the rank.
std::optional<Slip> find_slip(const Formula& base,
                              const std::vector<Evidenced>& cases,
                              DType precision) {
  for (const Formula& formula : slips(base)) {
    const FormulaFit fit = fit_cases(formula, cases, precision, 1.0);
    if (fit.fits()) {
      return Slip{formula.product, fit};
    }
  }
  return std::nullopt;
}

void add_slip(int rank, const FaultSet& elsewhere, const Slip& slip,
              Classification& result) {
  FaultSet& here = result.faults_by_rank[rank];
  here = elsewhere;
  here.emplace_back(exchanged_keys);
  if (std::ranges::count(result.faults, exchanged_keys) > 0) {
    return;
  }
  result.faults.emplace_back(exchanged_keys);
  for (FaultSet& tie : result.ties) {
    tie.emplace_back(exchanged_keys);
  }
  Explanation& explanation = result.explanation;
  explanation.formula.product = slip.product;
  explanation.faults = result.faults;
  if (result.is_correct) {
    explanation.fit = slip.fit;
    explanation.runner_up.reset();
  }
  result.is_correct = false;
  result.params.merge(describe_params({.product = slip.product}));
}

}  // namespace

std::vector<int> find_loud_ranks(const RankedCases& cases) {
  std::vector<int> loud;
  for (const auto& [rank, of_rank] : cases.supported) {
    if (is_loud_rank(of_rank)) {
      loud.push_back(rank);
    }
  }
  return loud.size() < cases.supported.size() ? loud : std::vector<int>{};
}

RankedCases without_ranks(RankedCases cases, const std::vector<int>& ranks) {
  for (const int rank : ranks) {
    cases.supported.erase(rank);
    cases.declined.push_back(rank);
  }
  return cases;
}

void judge_loud_ranks(const RankedCases& cases, const std::vector<int>& loud,
                      Classification& firm) {
  const Formula base = firm.explanation.formula;
  const FaultSet elsewhere = firm.faults;
  for (const int rank : loud) {
    const auto slip = find_slip(base, cases.supported.at(rank), firm.precision);
    if (slip) {
      add_slip(rank, elsewhere, *slip, firm);
    } else {
      firm.declined.push_back(rank);
    }
  }
}

}  // namespace grader
