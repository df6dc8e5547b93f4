// SPDX-License-Identifier: MIT
#include "grader/example/simpler.hpp"

#include <cmath>

namespace grader {
namespace {

using reference::Tensor;

}  // namespace

Tensor diagonal(const reference::Shape& shape, bool is_numbered) {
  Tensor tensor(shape);
  const auto rows = static_cast<std::size_t>(tensor.size(-2));
  const auto columns = static_cast<std::size_t>(tensor.size(-1));
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    if (i / columns % rows == i % columns) {
      const std::size_t matrix = i / (rows * columns);
      tensor.data[i] = is_numbered ? static_cast<double>(matrix + 1) : 1.0;
    }
  }
  return tensor;
}

std::vector<Tensor> simple_forms(const NamedTensor& argument) {
  const reference::Shape& shape = argument.tensor.shape;
  std::vector<Tensor> forms;
  // Zero values, tokens and projections have an output of zeros.
  if (argument.name == "q" || argument.name == "k") {
    forms.emplace_back(shape);
  }
  forms.push_back(diagonal(shape));
  const reference::Shape leading(shape.begin(), shape.end() - 2);
  if (reference::element_count(leading) > 1) {
    forms.push_back(diagonal(shape, true));
  }
  return forms;
}

std::vector<double> simpler_numbers(double value) {
  constexpr double small = 10.0;
  if (value == 0.0) {
    return {};
  }
  std::vector<double> numbers{0.0};
  if (value != 1.0) {
    numbers.push_back(1.0);
  }
  if (value < -1.0) {
    numbers.push_back(-1.0);
  }
  if (std::abs(value) > small) {
    numbers.push_back(std::trunc(value / small));
    numbers.push_back(std::trunc(value / 2.0));
  }
  return numbers;
}

}  // namespace grader
