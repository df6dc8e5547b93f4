// SPDX-License-Identifier: MIT
#include "grader/diagnosis/formula.hpp"

#include <tuple>

namespace grader {
namespace {

constexpr auto members = std::make_tuple(
    &Formula::query, &Formula::key, &Formula::value, &Formula::split,
    &Formula::key_groups, &Formula::value_groups, &Formula::queries_of,
    &Formula::keys_of, &Formula::values_of, &Formula::product, &Formula::scale,
    &Formula::scale_error, &Formula::mask, &Formula::fill_form, &Formula::fill,
    &Formula::softmax, &Formula::shift, &Formula::guarded, &Formula::epsilon,
    &Formula::epsilon_on_shares, &Formula::weight_factor,
    &Formula::weighted_sum, &Formula::value_factor, &Formula::merge,
    &Formula::output, &Formula::residual, &Formula::storage,
    &Formula::is_fitted);

}  // namespace

Formula combine(const Formula& a, const Formula& b) {
  const Formula right;
  Formula both = a;
  const auto take = [&](auto member) {
    if (b.*member != right.*member) {
      both.*member = b.*member;
    }
  };
  std::apply([&](auto... member) { (take(member), ...); }, members);
  return both;
}

bool are_independent(const Formula& a, const Formula& b) {
  const Formula right;
  const auto shared = [&](auto member) {
    return a.*member != right.*member && b.*member != right.*member;
  };
  return !std::apply([&](auto... member) { return (shared(member) || ...); },
                     members);
}

}  // namespace grader
