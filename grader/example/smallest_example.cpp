// SPDX-License-Identifier: MIT
#include "grader/example/smallest_example.hpp"

#include <cstddef>

namespace grader {

std::vector<std::int64_t> row_position(const reference::Shape& shape,
                                       std::size_t row) {
  std::vector<std::int64_t> position(shape.size() - 1);
  for (std::size_t axis = position.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    position[axis] = static_cast<std::int64_t>(row % size);
    row /= size;
  }
  return position;
}

std::string row_index(const reference::Shape& shape, std::size_t row) {
  std::string text;
  for (const std::int64_t place : row_position(shape, row)) {
    text += (text.empty() ? "" : ", ") + std::to_string(place);
  }
  return "[" + text + "]";
}

std::vector<double> row_of(const reference::Tensor& tensor, std::size_t row) {
  const auto width = static_cast<std::size_t>(tensor.size(-1));
  const auto first =
      tensor.data.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {first, first + static_cast<std::ptrdiff_t>(width)};
}

}  // namespace grader
