// SPDX-License-Identifier: MIT
#include "grader/lesson/transpose_study.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/random.hpp"
#include "reference/softmax.hpp"

namespace grader {
namespace {

using reference::Tensor;

using Transpose = Tensor (*)(const Tensor&);

Tensor weights_of(const Tensor& q, const Tensor& k, Transpose transpose) {
  return reference::softmax(
      reference::scale(reference::matmul(q, transpose(k)),
                       1.0 / std::sqrt(static_cast<double>(q.size(-1)))));
}

// What it says, or nothing.
std::string failure_of(const TransposeStudy& study, Transpose transpose) {
  try {
    weights_of(Tensor(study.q), Tensor(study.k), transpose);
    return "";
  } catch (const std::invalid_argument& failure) {
    return failure.what();
  }
}

double largest_move(const Tensor& before, const Tensor& after,
                    std::size_t begin, std::size_t count) {
  double largest = 0.0;
  for (std::size_t i = begin; i < begin + count; ++i) {
    largest = std::max(largest, std::abs(after.data[i] - before.data[i]));
  }
  return largest;
}

struct Operands {
  Tensor q;  // (size, size, size), as are the others
  Tensor k;
  Tensor other;  // keys
};

Operands draw(const TransposeSettings& settings) {
  reference::Random random(settings.seed);
  const reference::Shape shape(3, settings.size);
  Operands operands;
  operands.q = random.standard_normal(shape);
  operands.k = random.standard_normal(shape);
  operands.other = random.standard_normal(shape);
  return operands;
}

Tensor mixing(const Operands& operands, Transpose transpose) {
  const std::int64_t size = operands.k.size(0);
  const auto rows = static_cast<std::size_t>(size);
  const std::size_t row = rows * rows;
  const Tensor before = weights_of(operands.q, operands.k, transpose);
  Tensor moved({size, size});
  for (std::size_t j = 0; j < rows; ++j) {
    Tensor changed = operands.k;
    const auto begin = static_cast<std::ptrdiff_t>(j * row);
    std::copy_n(operands.other.data.begin() + begin, row,
                changed.data.begin() + begin);
    const Tensor after = weights_of(operands.q, changed, transpose);
    for (std::size_t i = 0; i < rows; ++i) {
      moved.data[i * rows + j] = largest_move(before, after, i * row, row);
    }
  }
  return moved;
}

}  // namespace

TransposeStudy study_transpose(const TransposeSettings& settings) {
  const Operands operands = draw(settings);
  const Tensor right =
      weights_of(operands.q, operands.k, reference::swap_last_axes);
  const Tensor wrong =
      weights_of(operands.q, operands.k, reference::reverse_axes);
  TransposeStudy study;
  study.settings = settings;
  study.swapped_fails = !failure_of(study, reference::swap_last_axes).empty();
  study.message = failure_of(study, reference::reverse_axes);
  study.reversed_fails = !study.message.empty();
  study.largest_difference = largest_move(right, wrong, 0, right.data.size());
  study.swapped_mixing = mixing(operands, reference::swap_last_axes);
  study.reversed_mixing = mixing(operands, reference::reverse_axes);
  return study;
}

}  // namespace grader
