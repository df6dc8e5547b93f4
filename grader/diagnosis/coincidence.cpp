// SPDX-License-Identifier: MIT
#include "grader/diagnosis/coincidence.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "grader/diagnosis/params.hpp"

namespace grader {
namespace {

using Cases = std::vector<const Case*>;

// The largest over all cases.
template <typename Measure>
double largest_of(const Cases& cases, Measure measure) {
  double largest = 0.0;
  for (const Case* test_case : cases) {
    largest = std::max(largest, static_cast<double>(measure(*test_case)));
  }
  return largest;
}

bool starts_with_any(std::string_view id,
                     std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(
      starts, [&](std::string_view start) { return id.starts_with(start); });
}

bool multiply_alike(const Formula& a, const Formula& b, const Cases& cases) {
  return std::ranges::all_of(cases, [&](const Case* test_case) {
    const double first = scale_factor(a.scale, test_case->dimensions);
    const double second = scale_factor(b.scale, test_case->dimensions);
    return std::abs(first - second) <= 1e-6 * std::abs(first);
  });
}

const char* name_of(SizeAxis axis) {
  switch (axis) {
    case SizeAxis::d_k:
      return "d_k";
    case SizeAxis::d_model:
      return "d_model";
    case SizeAxis::heads:
      return "the number of heads";
    case SizeAxis::keys:
      return "m";
    case SizeAxis::queries:
      return "n";
    case SizeAxis::d_v:
      return "d_v";
    case SizeAxis::batch:
      return "the batch";
  }
  return "";
}

std::string scale_reason(const Formula& a, const Formula& b,
                         const Cases& cases) {
  Formula with_scale = a;
  with_scale.scale = b.scale;
  if (a.scale == b.scale || with_scale != b || !multiply_alike(a, b, cases)) {
    return "";
  }
  if (a.scale.axis != b.scale.axis && a.scale.factor == b.scale.factor &&
      a.scale.exponent == b.scale.exponent) {
    return std::string(name_of(b.scale.axis)) + " = " + name_of(a.scale.axis) +
           " in every case";
  }
  return "both multiply the scores by the same number, such as " +
         number_text(scale_factor(a.scale, cases.front()->dimensions)) +
         " in " + cases.front()->name;
}

std::string axis_reason(std::string_view id, const Cases& cases) {
  const auto batch = [](const Case& one) { return one.dimensions.batch; };
  const auto heads = [](const Case& one) { return one.dimensions.heads; };
  if (starts_with_any(
          id, {"batch-", "softmax-over-batch", "mask-first-batch-only"}) &&
      largest_of(cases, batch) <= 1.0) {
    return "no case has a batch of more than one";
  }
  if (starts_with_any(id, {"heads-", "softmax-over-heads", "gqa-",
                           "tokens-heads-swapped", "mask-heads"}) &&
      largest_of(cases, heads) <= 1.0) {
    return "no case has more than one head";
  }
  const bool has_groups = std::ranges::any_of(cases, [](const Case* one) {
    return one->dimensions.kv_heads < one->dimensions.heads;
  });
  if (id.starts_with("gqa-") && !has_groups) {
    return "every case has as many key heads as query heads";
  }
  return "";
}

// Exchanging more or other axes than the last two is right where there are no
// others.
std::string rank_reason(const AuditedVariant& variant, const Cases& cases) {
  const auto all_have_rank = [&](int rank) {
    return std::ranges::all_of(
        cases, [&](const Case* one) { return one->rank == rank; });
  };
  const Product product = variant.formula.product;
  if ((product == Product::keys_all_axes ||
       product == Product::keys_leading_axes) &&
      all_have_rank(2)) {
    return "right on two axes, and no case has more";
  }
  if (product == Product::keys_first_axes && all_have_rank(3)) {
    return "right on three axes, and every case has three";
  }
  return "";
}

bool hides_a_key(const Case& test_case) {
  const auto mask = effective_mask(test_case);
  return mask && std::ranges::find(mask->data, 0) != mask->data.end();
}

std::string size_reason(const AuditedVariant& variant, const Cases& cases) {
  const std::string_view id = variant.fault;
  const std::string score =
      number_text(std::round(100.0 * largest_of(cases, max_abs_score)) / 100.0);
  if (id == "features-truncated") {
    return "no case is wide enough: all columns of q and k enter";
  }
  if (starts_with_any(id, {"softmax-no-max-shift", "softmax-global-max",
                           "softmax-constant-shift"})) {
    return "no score is large enough: |z| is at most " + score +
           ", exp overflows at 709";
  }
  if (id == "mask-weak-fill") {
    return "no score comes near the fill: |z| is at most " + score;
  }
  if (starts_with_any(id, {"mask-", "causal-"}) &&
      std::ranges::none_of(cases,
                           [](const Case* one) { return hides_a_key(*one); })) {
    return "no case hides a key";
  }
  return "";
}

bool is_one_hot(const Case& test_case) {
  return std::ranges::all_of(
      test_case.expected.weights.data, [](double weight) {
        constexpr double small = 1e-5;
        return !std::isfinite(weight) || weight < small || weight > 1.0 - small;
      });
}

// What makes many faults look alike at once.
std::string common_reason(const Cases& cases) {
  if (largest_of(cases, [](const Case& one) { return one.dimensions.m; }) <=
      1.0) {
    return "one key only: every weight is 1";
  }
  constexpr double flat = 0.05;
  const double score = largest_of(cases, max_abs_score);
  if (score < flat) {
    return "the scores are flat: |z| is at most " + number_text(score);
  }
  const bool is_saturated = std::ranges::all_of(
      cases, [](const Case* one) { return is_one_hot(*one); });
  return is_saturated ? "every row of weights is a single 1: the scores lie "
                        "too far apart"
                      : "";
}

bool concerns_overflow(const AuditedVariant& variant) {
  return variant.fault == "softmax-no-max-shift" ||
         variant.fault == "softmax-constant-shift";
}

// On every case on which both mean something, and there is one.
bool fail_together(const Audit& audit, const AuditPair& tie) {
  bool has_case = false;
  for (std::size_t i = 0; i < audit.cases.size(); ++i) {
    const AuditCell& a = audit.cells[tie.first][i];
    const AuditCell& b = audit.cells[tie.second][i];
    if (a.applies && b.applies) {
      has_case = true;
      if (!a.is_loud || !b.is_loud) {
        return false;
      }
    }
  }
  return has_case;
}

}  // namespace

std::string coincidence(const Audit& audit, const AuditPair& tie) {
  if (fail_together(audit, tie)) {
    return "both fail on every case: none has the sizes that let them through";
  }
  const AuditedVariant& a = audit.variants[tie.first];
  const AuditedVariant& b = audit.variants[tie.second];
  std::string reason = scale_reason(a.formula, b.formula, audit.cases);
  for (const AuditedVariant* variant : {&b, &a}) {
    reason = reason.empty() ? axis_reason(variant->fault, audit.cases) : reason;
  }
  if (tie.first == 0 && reason.empty()) {
    reason = rank_reason(b, audit.cases);
  }
  reason = reason.empty() ? common_reason(audit.cases) : reason;
  if (reason.empty() && tie.first == 0) {
    reason = size_reason(b, audit.cases);
  }
  if (reason.empty() && concerns_overflow(a) && concerns_overflow(b)) {
    reason =
        "no row's largest score lies where one of them overflows and the "
        "other does not";
  }
  return reason;
}

}  // namespace grader
