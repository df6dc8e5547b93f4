// SPDX-License-Identifier: MIT
#include "reference/tensor.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace reference {
namespace {

std::size_t index(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

template <typename Array>
void require_consistent(const Array& array) {
  if (array.data.size() != index(element_count(array.shape))) {
    throw std::invalid_argument("shape " + to_string(array.shape) +
                                " does not hold " +
                                std::to_string(array.data.size()) + " values");
  }
}

// Position of an axis that may count from the end.
std::size_t axis_position(const Shape& shape, int axis) {
  const int rank = static_cast<int>(shape.size());
  if (axis < -rank || axis >= rank) {
    throw std::invalid_argument("axis " + std::to_string(axis) + " of shape " +
                                to_string(shape));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

// Distance, in elements, between neighbours along each axis.
Shape row_major_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

// Strides that walk `from` as if it had the shape `to`: 0 along axes that are
// repeated.
Shape broadcast_strides(const Shape& from, const Shape& to) {
  if (broadcast_shapes(from, to) != to) {
    throw std::invalid_argument("cannot broadcast shape " + to_string(from) +
                                " to " + to_string(to));
  }
  const Shape own = row_major_strides(from);
  const std::size_t missing = to.size() - from.size();
  Shape strides(to.size(), 0);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    strides[missing + axis] = from[axis] == 1 ? 0 : own[axis];
  }
  return strides;
}

// The values met when `source` is walked in row-major order of `shape`.
template <typename Value>
std::vector<Value> gather(const std::vector<Value>& source, const Shape& shape,
                          const Shape& strides) {
  std::vector<Value> values(index(element_count(shape)));
  Shape position(shape.size(), 0);
  std::int64_t offset = 0;
  for (Value& value : values) {
    value = source[index(offset)];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      offset += strides[axis];
      if (++position[axis] < shape[axis]) {
        break;
      }
      offset -= strides[axis] * shape[axis];
      position[axis] = 0;
    }
  }
  return values;
}

template <typename Array>
Array broadcast(const Array& array, const Shape& shape) {
  require_consistent(array);
  const Shape strides = broadcast_strides(array.shape, shape);
  Array result;
  result.shape = shape;
  result.data = gather(array.data, shape, strides);
  return result;
}

}  // namespace

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) {
      throw std::invalid_argument("negative size in shape " + to_string(shape));
    }
    // numpy, too, leaves sizes of 0 out when it looks for overflow.
    empty = empty || size == 0;
    if (size != 0 && __builtin_mul_overflow(count, size, &count)) {
      throw std::invalid_argument("too many elements in shape " +
                                  to_string(shape));
    }
  }
  return empty ? 0 : count;
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

Tensor::Tensor(Shape shape_in, double fill)
    : shape(std::move(shape_in)), data(index(element_count(shape)), fill) {}

Tensor::Tensor(Shape shape_in, std::vector<double> values)
    : shape(std::move(shape_in)), data(std::move(values)) {
  require_consistent(*this);
}

std::int64_t Tensor::size(int axis) const {
  return shape[axis_position(shape, axis)];
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  const std::size_t missing = longer.size() - shorter.size();
  Shape shape = longer;
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    std::int64_t& size = shape[missing + axis];
    if (size == 1) {
      size = shorter[axis];
    } else if (shorter[axis] != 1 && shorter[axis] != size) {
      throw std::invalid_argument("shapes " + to_string(a) + " and " +
                                  to_string(b) +
                                  " cannot be broadcast together");
    }
  }
  return shape;
}

Tensor broadcast_to(const Tensor& tensor, const Shape& shape) {
  return broadcast(tensor, shape);
}

Mask broadcast_to(const Mask& mask, const Shape& shape) {
  return broadcast(mask, shape);
}

Tensor reshape(const Tensor& tensor, const Shape& shape) {
  if (element_count(shape) != element_count(tensor.shape)) {
    throw std::invalid_argument("cannot reshape " + to_string(tensor.shape) +
                                " into " + to_string(shape));
  }
  return Tensor(shape, tensor.data);
}

Tensor permute(const Tensor& tensor, const std::vector<int>& axes) {
  require_consistent(tensor);
  if (axes.size() != tensor.shape.size()) {
    throw std::invalid_argument(std::to_string(axes.size()) +
                                " axes given to permute shape " +
                                to_string(tensor.shape));
  }
  const Shape own = row_major_strides(tensor.shape);
  std::vector<bool> used(axes.size(), false);
  Shape shape;
  Shape strides;
  for (const int axis : axes) {
    const std::size_t position = axis_position(tensor.shape, axis);
    if (used[position]) {
      throw std::invalid_argument("axis " + std::to_string(axis) +
                                  " given twice to permute shape " +
                                  to_string(tensor.shape));
    }
    used[position] = true;
    shape.push_back(tensor.shape[position]);
    strides.push_back(own[position]);
  }
  return Tensor(shape, gather(tensor.data, shape, strides));
}

Tensor swap_last_axes(const Tensor& tensor) {
  std::vector<int> axes(tensor.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes.at(axis_position(tensor.shape, -1)),
            axes.at(axis_position(tensor.shape, -2)));
  return permute(tensor, axes);
}

Tensor reverse_axes(const Tensor& tensor) {
  std::vector<int> axes(tensor.shape.size());
  std::iota(axes.rbegin(), axes.rend(), 0);
  return permute(tensor, axes);
}

Tensor repeat(const Tensor& tensor, std::int64_t count, int axis) {
  const std::size_t position = axis_position(tensor.shape, axis);
  // (..., size, rest) -> (..., size, 1, rest) -> (..., size, count, rest)
  Shape split = tensor.shape;
  const auto after = split.begin() + static_cast<std::ptrdiff_t>(position) + 1;
  const auto inserted = split.insert(after, 1);
  const Tensor single = reshape(tensor, split);
  *inserted = count;
  Shape shape = tensor.shape;
  shape[position] *= count;
  return reshape(broadcast_to(single, split), shape);
}

Tensor add(const Tensor& a, const Tensor& b) {
  if (a.shape != b.shape) {
    throw std::invalid_argument("cannot add shapes " + to_string(a.shape) +
                                " and " + to_string(b.shape));
  }
  Tensor sum = a;
  std::transform(a.data.begin(), a.data.end(), b.data.begin(), sum.data.begin(),
                 std::plus<>());
  return sum;
}

Tensor scale(const Tensor& tensor, double factor) {
  Tensor scaled = tensor;
  for (double& value : scaled.data) {
    value *= factor;
  }
  return scaled;
}

}  // namespace reference
