// SPDX-License-Identifier: MIT
#include <span>
#include <stdexcept>

#include "reference/tensor.hpp"

namespace reference {
namespace {

// `leading`, then the last two axes of the operand.
Shape with_leading_axes(Shape leading, const Tensor& operand) {
  leading.push_back(operand.size(-2));
  leading.push_back(operand.size(-1));
  return leading;
}

// Leading axes of the product.
Shape product_leading_axes(const Tensor& a, const Tensor& b) {
  const auto refuse = [&](const std::string& reason) {
    throw std::invalid_argument("matmul of shapes " + to_string(a.shape) +
                                " and " + to_string(b.shape) + ": " + reason);
  };
  if (a.rank() < 2 || b.rank() < 2) {
    refuse("needs two axes or more");
  }
  if (a.size(-1) != b.size(-2)) {
    refuse(std::to_string(a.size(-1)) + " columns against " +
           std::to_string(b.size(-2)) + " rows");
  }
  try {
    return broadcast_shapes(Shape(a.shape.begin(), a.shape.end() - 2),
                            Shape(b.shape.begin(), b.shape.end() - 2));
  } catch (const std::invalid_argument&) {
    refuse("the leading axes cannot be broadcast together");
  }
  return {};
}

}  // namespace

long double dot(std::span<const double> a, std::span<const double> b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
  }
  return sum;
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  const Shape leading = product_leading_axes(a, b);
  const auto n = static_cast<std::size_t>(a.size(-2));
  const auto inner = static_cast<std::size_t>(a.size(-1));
  const auto m = static_cast<std::size_t>(b.size(-1));
  Shape shape = leading;
  shape.insert(shape.end(), {a.size(-2), b.size(-1)});

  // Columns of b become rows, so that both walks are over contiguous values.
  const Tensor rows = broadcast_to(a, with_leading_axes(leading, a));
  const Tensor columns =
      swap_last_axes(broadcast_to(b, with_leading_axes(leading, b)));
  Tensor product(shape);
  for (std::size_t cell = 0; cell < product.data.size(); ++cell) {
    const std::size_t row = cell / m;
    const std::size_t column = row / n * m + cell % m;
    product.data[cell] = static_cast<double>(
        dot(std::span(rows.data).subspan(row * inner, inner),
            std::span(columns.data).subspan(column * inner, inner)));
  }
  return product;
}

}  // namespace reference
