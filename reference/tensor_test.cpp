// SPDX-License-Identifier: MIT
#include "reference/tensor.hpp"

#include <limits>
#include <numeric>
#include <stdexcept>

#include "tests/catch.hpp"

namespace reference {
namespace {

// numpy.arange(element_count(shape)).reshape(shape)
Tensor arange(const Shape& shape) {
  Tensor tensor(shape);
  std::iota(tensor.data.begin(), tensor.data.end(), 0.0);
  return tensor;
}

template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST_CASE("shapes are counted and printed as numpy does", "[tensor]") {
  CHECK(element_count({}) == 1);
  CHECK(element_count({3, 0, 5}) == 0);
  CHECK(element_count({3, 5, 7}) == 105);
  CHECK(to_string(Shape{}) == "()");
  CHECK(to_string(Shape{3}) == "(3,)");
  CHECK(to_string(Shape{3, 5, 7}) == "(3, 5, 7)");
}

TEST_CASE("negative and overflowing shapes are refused", "[tensor]") {
  const auto most = std::numeric_limits<std::int64_t>::max();
  CHECK(element_count({most}) == most);
  CHECK(refusal([] {
          element_count({2, -1});
        }) == "negative size in shape (2, -1)");
  CHECK_THROWS_AS(element_count({most, 2}), std::invalid_argument);
  CHECK_THROWS_AS(element_count({0, most, 2}), std::invalid_argument);
  CHECK_THROWS_AS(element_count({0, -1}), std::invalid_argument);
}

TEST_CASE("a tensor holds as many values as its shape says", "[tensor]") {
  CHECK(Tensor(Shape{2, 2}, 1.5).data == std::vector<double>(4, 1.5));
  CHECK(refusal([] {
          Tensor({2, 3}, {1, 2});
        }) == "shape (2, 3) does not hold 2 values");
  Tensor broken = arange({2, 2});
  broken.data.pop_back();
  CHECK_THROWS_AS(swap_last_axes(broken), std::invalid_argument);
  CHECK_THROWS_AS(broadcast_to(Mask{{2, 2}, {1}}, {2, 2}),
                  std::invalid_argument);
}

TEST_CASE("axes count from both ends", "[tensor]") {
  const Tensor tensor({2, 3});
  CHECK(tensor.size(0) == 2);
  CHECK(tensor.size(-1) == 3);
  CHECK(refusal([&] { tensor.size(-3); }) == "axis -3 of shape (2, 3)");
  CHECK_THROWS_AS(tensor.size(2), std::invalid_argument);
}

TEST_CASE("shapes are broadcast by numpy's rules", "[tensor]") {
  CHECK(broadcast_shapes({2, 1, 4}, {3, 1}) == Shape{2, 3, 4});
  CHECK(broadcast_shapes({}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast_shapes({1}, {0}) == Shape{0});
  CHECK(refusal([] {
          broadcast_shapes({2, 3}, {2});
        }) == "shapes (2, 3) and (2,) cannot be broadcast together");
  CHECK_THROWS_AS(broadcast_shapes({2}, {0}), std::invalid_argument);
}

TEST_CASE("arrays are repeated along broadcast axes", "[tensor]") {
  CHECK(broadcast_to(Tensor({2, 1}, {1, 2}), {2, 2, 3}).data ==
        std::vector<double>{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
  CHECK(broadcast_to(Mask{{2}, {1, 0}}, {2, 2}) == Mask{{2, 2}, {1, 0, 1, 0}});
  CHECK(broadcast_to(Tensor(Shape{}, 7.0), {2}).data ==
        std::vector<double>{7, 7});
  CHECK(refusal([] {
          broadcast_to(Tensor({2, 3}), {3});
        }) == "cannot broadcast shape (2, 3) to (3,)");
  CHECK_THROWS_AS(broadcast_to(Tensor({3}), {1}), std::invalid_argument);
}

TEST_CASE("matmul multiplies the last two axes", "[tensor]") {
  // numpy.arange(6).reshape(2, 3) @ numpy.arange(12).reshape(3, 4)
  CHECK(matmul(arange({2, 3}), arange({3, 4})) ==
        Tensor({2, 4}, {20, 23, 26, 29, 56, 68, 80, 92}));
  CHECK(matmul(Tensor({2, 0}), Tensor({0, 2})) == Tensor(Shape{2, 2}, 0.0));
  CHECK(matmul(Tensor({0, 3}), Tensor({3, 2})).shape == Shape{0, 2});
}

TEST_CASE("matmul broadcasts the leading axes", "[tensor]") {
  // numpy.arange(4).reshape(2, 1, 1, 2) @ numpy.arange(6).reshape(3, 2, 1)
  CHECK(matmul(arange({2, 1, 1, 2}), arange({3, 2, 1})) ==
        Tensor({2, 3, 1, 1}, {1, 3, 5, 3, 13, 23}));
}

TEST_CASE("matmul adds up in long double", "[tensor]") {
  CHECK(matmul(Tensor({1, 3}, {1e18, 1.0, -1e18}), Tensor(Shape{3, 1}, 1.0))
            .data == std::vector<double>{1.0});
}

TEST_CASE("matmul refuses what numpy refuses", "[tensor]") {
  CHECK(refusal([] {
          matmul(Tensor({2, 3}), Tensor({4, 5}));
        }) == "matmul of shapes (2, 3) and (4, 5): 3 columns against 4 rows");
  CHECK(refusal([] {
          matmul(Tensor({2, 3, 4}), Tensor({3, 4, 2}));
        }) ==
        "matmul of shapes (2, 3, 4) and (3, 4, 2): "
        "the leading axes cannot be broadcast together");
  CHECK(refusal([] {
          matmul(Tensor(Shape{3}), Tensor({3, 4}));
        }) == "matmul of shapes (3,) and (3, 4): needs two axes or more");
}

TEST_CASE("reshape keeps the order of the values", "[tensor]") {
  CHECK(reshape(arange({2, 6}), {3, 4}) == arange({3, 4}));
  CHECK(reshape(Tensor({0, 3}), {5, 0}).shape == Shape{5, 0});
  CHECK(refusal([] {
          reshape(Tensor({2, 3}), {4});
        }) == "cannot reshape (2, 3) into (4,)");
  CHECK_THROWS_AS(reshape(Tensor({2, 3}), {-1, 3}), std::invalid_argument);
}

TEST_CASE("axes are permuted as by numpy.transpose", "[tensor]") {
  // numpy.arange(6).reshape(1, 2, 3).transpose(2, 0, 1)
  CHECK(permute(arange({1, 2, 3}), {2, 0, 1}) ==
        Tensor({3, 1, 2}, {0, 3, 1, 4, 2, 5}));
  CHECK(permute(arange({2, 3}), {-1, 0}) == swap_last_axes(arange({2, 3})));
  CHECK_THROWS_AS(permute(arange({2, 3}), {0}), std::invalid_argument);
  CHECK_THROWS_AS(permute(arange({2, 3}), {0, 2}), std::invalid_argument);
  CHECK(refusal([] {
          permute(Tensor({2, 3}), {0, -2});
        }) == "axis -2 given twice to permute shape (2, 3)");
}

TEST_CASE("only the last two axes are swapped for keys", "[tensor]") {
  CHECK(swap_last_axes(arange({2, 2, 2})).data ==
        std::vector<double>{0, 2, 1, 3, 4, 6, 5, 7});
  CHECK_THROWS_AS(swap_last_axes(Tensor(Shape{3})), std::invalid_argument);
}

TEST_CASE("reverse_axes turns all axes round, as .T does", "[tensor]") {
  CHECK(reverse_axes(arange({2, 2, 2})).data ==
        std::vector<double>{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(reverse_axes(Tensor({2, 3, 4})).shape == Shape{4, 3, 2});
  CHECK(reverse_axes(Tensor(Shape{}, 1.0)).shape.empty());
}

TEST_CASE("repeat repeats each entry in a row", "[tensor]") {
  // numpy.repeat(numpy.arange(4).reshape(2, 2), 2, axis)
  CHECK(repeat(arange({2, 2}), 2, 0) ==
        Tensor({4, 2}, {0, 1, 0, 1, 2, 3, 2, 3}));
  CHECK(repeat(arange({2, 2}), 2, -1) ==
        Tensor({2, 4}, {0, 0, 1, 1, 2, 2, 3, 3}));
  CHECK(repeat(arange({2, 2}), 0, 1).shape == Shape{2, 0});
  CHECK_THROWS_AS(repeat(arange({2, 2}), -1, 0), std::invalid_argument);
  CHECK_THROWS_AS(repeat(arange({2, 2}), 2, 2), std::invalid_argument);
}

TEST_CASE("sums and multiples are elementwise", "[tensor]") {
  CHECK(add(arange({2, 2}), Tensor(Shape{2, 2}, 1.0)).data ==
        std::vector<double>{1, 2, 3, 4});
  CHECK(scale(arange({3}), -2.0).data == std::vector<double>{-0.0, -2, -4});
  CHECK(refusal([] {
          add(Tensor({2, 2}), Tensor({2, 3}));
        }) == "cannot add shapes (2, 2) and (2, 3)");
}

}  // namespace
}  // namespace reference
