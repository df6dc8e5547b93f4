// SPDX-License-Identifier: MIT
#include "grader/diagnosis/operands.hpp"

#include <stdexcept>

#include "tests/catch.hpp"

namespace grader {

using reference::Tensor;

TEST_CASE("a product over the first columns is a product of slices",
          "[operands]") {
  const Tensor q({1, 4}, {1, 2, 3, 4});
  const Tensor k({2, 4}, {1, 1, 5, 5, 2, 2, 5, 5});
  const Tensor product =
      multiply_operands(Product::half_features, q, k, /*d_v=*/4);
  CHECK(product.shape == reference::Shape{1, 2});
  CHECK(product.data == std::vector<double>{3, 6});
}

// numpy: q[..., :4] @ k[..., :4].T of widths 8 and 3 is a ValueError; of widths
// 8 and 6 it is a product.
TEST_CASE("keys with fewer columns than are taken of the queries do not fit",
          "[operands]") {
  const Tensor q({1, 8}, std::vector<double>(8, 1.0));
  const Tensor narrow({2, 3}, std::vector<double>(6, 1.0));
  CHECK_THROWS_AS(multiply_operands(Product::half_features, q, narrow, 8),
                  std::invalid_argument);
  const Tensor wide({2, 6}, std::vector<double>(12, 1.0));
  CHECK(multiply_operands(Product::half_features, q, wide, 8).data ==
        std::vector<double>{4, 4});
}

}  // namespace grader
