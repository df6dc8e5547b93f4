// SPDX-License-Identifier: MIT
#include "grader/diagnosis/formula.hpp"

#include <functional>
#include <tuple>
#include <type_traits>

namespace grader {
namespace {

// All but is_fitted, which is no part of the calculation.
constexpr auto members = std::make_tuple(
    &Formula::query, &Formula::key, &Formula::value, &Formula::split,
    &Formula::key_groups, &Formula::value_groups, &Formula::queries_of,
    &Formula::keys_of, &Formula::values_of, &Formula::product, &Formula::scale,
    &Formula::scale_error, &Formula::mask, &Formula::fill_form, &Formula::fill,
    &Formula::softmax, &Formula::shift, &Formula::exponent_shift,
    &Formula::guarded, &Formula::epsilon, &Formula::epsilon_on_shares,
    &Formula::epsilon_is_least, &Formula::weight_factor, &Formula::weighted_sum,
    &Formula::value_factor, &Formula::merge, &Formula::output,
    &Formula::residual, &Formula::storage);

void add(std::size_t part, std::size_t& hash) {
  // The golden ratio, spread over 64 bits.
  hash ^= part + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
}

template <typename Number>
requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
void add_member(Number number, std::size_t& hash) {
  add(std::hash<Number>()(number), hash);
}

void add_member(const Operand& operand, std::size_t& hash) {
  add_member(operand.source, hash);
  add_member(operand.weight_transposed, hash);
  add_member(operand.activated, hash);
}

void add_member(const Scale& scale, std::size_t& hash) {
  add_member(scale.factor, hash);
  add_member(scale.axis, hash);
  add_member(scale.exponent, hash);
}

}  // namespace

std::size_t FormulaHash::operator()(const Formula& formula) const {
  std::size_t hash = 0;
  std::apply([&](auto... member) { (add_member(formula.*member, hash), ...); },
             members);
  return hash;
}

Formula combine(const Formula& a, const Formula& b) {
  const Formula right;
  Formula both = a;
  const auto take = [&](auto member) {
    if (b.*member != right.*member) {
      both.*member = b.*member;
    }
  };
  std::apply([&](auto... member) { (take(member), ...); }, members);
  both.is_fitted = a.is_fitted || b.is_fitted;
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
