// SPDX-License-Identifier: MIT
// Dense row-major float64 arrays with the few numpy operations attention is
// made of. It keeps numpy's broadcasting rules and refuses what numpy refuses,
// so a formula written with it fails on exactly the shapes where the same line
// of numpy fails. It is no general array library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace reference {

using Shape = std::vector<std::int64_t>;

// Product of the sizes; 1 for the shape (). Throws std::invalid_argument on a
// negative size and on a product that does not fit in int64.
std::int64_t element_count(const Shape& shape);

// "(3, 5, 7)", as numpy prints it: "(3,)" for one axis, "()" for none.
std::string to_string(const Shape& shape);

struct Tensor {
  Shape shape;               // row-major; the last axis is contiguous
  std::vector<double> data;  // element_count(shape) values

  Tensor() = default;
  explicit Tensor(Shape shape_in, double fill = 0.0);
  // Throws std::invalid_argument if the number of values is not the shape's.
  Tensor(Shape shape_in, std::vector<double> values);

  int rank() const { return static_cast<int>(shape.size()); }
  // Size of an axis; negative counts from the end. Throws
  // std::invalid_argument ("axis -3 of shape (2, 3)") when there is none.
  std::int64_t size(int axis) const;

  bool operator==(const Tensor&) const = default;
};

// Boolean array; 1 = may attend. Bytes, because std::vector<bool> has no data.
struct Mask {
  Shape shape;
  std::vector<std::uint8_t> data;

  bool operator==(const Mask&) const = default;
};

// numpy.broadcast_shapes(a, b); throws std::invalid_argument.
Shape broadcast_shapes(const Shape& a, const Shape& b);
Tensor broadcast_to(const Tensor& tensor, const Shape& shape);
Mask broadcast_to(const Mask& mask, const Shape& shape);

// numpy.matmul for operands of rank 2 and more: leading axes are broadcast.
// Sums are accumulated in long double. Throws std::invalid_argument.
Tensor matmul(const Tensor& a, const Tensor& b);
// Sum of products of two rows of equal length.
long double dot(std::span<const double> a, std::span<const double> b);

Tensor reshape(const Tensor& tensor, const Shape& shape);
// numpy.transpose(tensor, axes)
Tensor permute(const Tensor& tensor, const std::vector<int>& axes);
// numpy.swapaxes(tensor, -1, -2)
Tensor swap_last_axes(const Tensor& tensor);
// tensor.T: the order of *all* axes is reversed.
Tensor reverse_axes(const Tensor& tensor);
// numpy.repeat(tensor, count, axis): each entry `count` times in a row.
Tensor repeat(const Tensor& tensor, std::int64_t count, int axis);

// Elementwise; no broadcasting for add.
Tensor add(const Tensor& a, const Tensor& b);
Tensor scale(const Tensor& tensor, double factor);

}  // namespace reference
