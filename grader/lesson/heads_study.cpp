// SPDX-License-Identifier: MIT
#include "grader/lesson/heads_study.hpp"

#include <cmath>

#include "reference/multi_head.hpp"
#include "reference/random.hpp"

namespace grader {
namespace {

struct Operands {
  reference::Tensor q;  // (draws, n, d_model)
  reference::Tensor k;
};

Operands draw(const HeadsSettings& settings) {
  reference::Random random(settings.seed);
  const reference::Shape shape = {settings.draws, settings.n, settings.d_model};
  Operands operands;
  operands.q = random.standard_normal(shape);
  operands.k = random.standard_normal(shape);
  return operands;
}

// (draws, heads, n, n)
reference::Tensor scores_of(const Operands& operands, std::int64_t heads) {
  return reference::matmul(
      reference::split_heads(operands.q, heads),
      reference::swap_last_axes(reference::split_heads(operands.k, heads)));
}

}  // namespace

HeadsStudy study_heads(const HeadsSettings& settings) {
  const auto d_model = static_cast<double>(settings.d_model);
  const double d_k = d_model / static_cast<double>(settings.heads);
  const Operands operands = draw(settings);
  const reference::Tensor raw = scores_of(operands, settings.heads);
  HeadsStudy study;
  study.settings = settings;
  for (const auto& [name, factor] :
       {std::pair("1/sqrt(d_model)", 1.0 / std::sqrt(d_model)),
        std::pair("1/sqrt(d_k)", 1.0 / std::sqrt(d_k)),
        std::pair("1/d_k", 1.0 / d_k)}) {
    study.scales.push_back(
        {name, factor, figures_of(reference::scale(raw, factor))});
  }
  for (std::int64_t heads = 1; settings.d_model % heads == 0; heads *= 2) {
    const reference::Tensor scores =
        reference::scale(scores_of(operands, heads), 1.0 / std::sqrt(d_model));
    study.by_heads.push_back({heads, deviation_of(scores)});
  }
  return study;
}

}  // namespace grader
