// SPDX-License-Identifier: MIT
// Prints the inputs and results of one case of the reference, exactly, for
// scripts/measure_reference_error.
//
//   print_reference KIND N M WIDTH GAIN SHIFT SEED
//
// KIND is plain, masked, causal, self or multi (with 2 heads). q, or w_q, is
// multiplied by GAIN; SHIFT is added to every entry of k, or x, which makes
// scores that are large and close to each other. A line an array: name, sizes,
// `:`, values as hexadecimal floats.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "reference/mask.hpp"
#include "reference/multi_head.hpp"
#include "reference/random.hpp"
#include "reference/softmax.hpp"

namespace {

using reference::Attention;
using reference::Mask;
using reference::Random;
using reference::Tensor;

struct Case {
  std::string kind;
  std::int64_t n = 0;
  std::int64_t m = 0;
  std::int64_t width = 0;
  double gain = 1;
  double shift = 0;
  std::uint64_t seed = 0;
};

void print(const char* name, const Tensor& tensor) {
  std::printf("%s", name);
  for (const std::int64_t size : tensor.shape) {
    std::printf(" %lld", static_cast<long long>(size));
  }
  std::printf(" :");
  for (const double value : tensor.data) {
    std::printf(" %a", value);
  }
  std::printf("\n");
}

void print(const Attention& attention) {
  print("weights", attention.weights);
  print("output", attention.output);
}

Tensor as_tensor(const Mask& mask) {
  return Tensor(mask.shape, {mask.data.begin(), mask.data.end()});
}

Tensor shifted(const Tensor& tensor, double shift) {
  return add(tensor, Tensor(tensor.shape, shift));
}

// A third of the cells hidden, and the first query without a key.
Mask random_mask(Random& random, std::int64_t n, std::int64_t m) {
  Mask mask = reference::causal_mask(n, m);
  for (auto& cell : mask.data) {
    cell = random.random() < 2.0 / 3 ? 1 : 0;
  }
  std::fill_n(mask.data.begin(), m, std::uint8_t{0});
  return mask;
}

// The same in steps that each round to float64, for comparison.
Attention in_float64_steps(const Tensor& q, const Tensor& k, const Tensor& v,
                           const Mask& mask) {
  const Tensor scores = scale(matmul(q, swap_last_axes(k)),
                              1 / std::sqrt(static_cast<double>(q.size(-1))));
  const Tensor weights = masked_softmax(scores, mask);
  return {matmul(weights, v), weights};
}

void run_attention(const Case& wanted) {
  Random random(wanted.seed);
  const Tensor q =
      scale(random.standard_normal({wanted.n, wanted.width}), wanted.gain);
  const Tensor k =
      shifted(random.standard_normal({wanted.m, wanted.width}), wanted.shift);
  const Tensor v = random.standard_normal({wanted.m, wanted.width});
  Mask mask{{1}, {1}};
  if (wanted.kind == "masked") {
    mask = random_mask(random, wanted.n, wanted.m);
  } else if (wanted.kind == "causal") {
    mask = reference::causal_mask(wanted.n, wanted.m);
  }
  print("q", q);
  print("k", k);
  print("v", v);
  print("mask", as_tensor(broadcast_to(mask, {wanted.n, wanted.m})));
  print(wanted.kind == "causal" ? causal_attention(q, k, v)
                                : attention(q, k, v, mask));
  const Attention steps = in_float64_steps(q, k, v, mask);
  print("steps_weights", steps.weights);
  print("steps_output", steps.output);
}

void run_projected(const Case& wanted, std::int64_t n_heads) {
  Random random(wanted.seed);
  const reference::Shape square = {wanted.width, wanted.width};
  const Tensor x =
      shifted(random.standard_normal({wanted.n, wanted.width}), wanted.shift);
  const double spread = 1 / std::sqrt(static_cast<double>(wanted.width));
  const auto draw = [&](double gain) {
    return scale(random.standard_normal(square), gain * spread);
  };
  const Tensor w_q = draw(wanted.gain);
  const Tensor w_k = draw(1);
  const Tensor w_v = draw(1);
  const Tensor w_o = draw(1);
  print("x", x);
  print("w_q", w_q);
  print("w_k", w_k);
  print("w_v", w_v);
  print("w_o", w_o);
  print(n_heads == 0 ? self_attention(x, w_q, w_k, w_v)
                     : multi_head_attention(x, {w_q, w_k, w_v, w_o, n_heads}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fprintf(stderr,
                 "usage: print_reference KIND N M WIDTH GAIN SHIFT SEED\n");
    return 2;
  }
  const Case wanted{argv[1],
                    std::atoll(argv[2]),
                    std::atoll(argv[3]),
                    std::atoll(argv[4]),
                    std::atof(argv[5]),
                    std::atof(argv[6]),
                    std::strtoull(argv[7], nullptr, 10)};
  if (wanted.kind == "self") {
    run_projected(wanted, 0);
  } else if (wanted.kind == "multi") {
    run_projected(wanted, 2);
  } else {
    run_attention(wanted);
  }
  return 0;
}
