// SPDX-License-Identifier: MIT
// The random numbers of numpy.random.default_rng(seed), bit for bit: seeding by
// SeedSequence (numpy/random/bit_generator.pyx), PCG64 (M. E. O'Neill, "PCG: A
// Family of Simple Fast Space-Efficient Statistically Good Algorithms for
// Random Number Generation", 2014; XSL-RR 128/64), `random` as 53-bit doubles
// in [0, 1), `standard_normal` by the 256-layer ziggurat (numpy/random/src/
// distributions). So a failing case is repeated by two lines of numpy.
#pragma once

#include <cstdint>

#include "reference/tensor.hpp"

namespace reference {

class Random {
 public:
  // numpy.random.default_rng(seed)
  explicit Random(std::uint64_t seed);

  std::uint64_t next_uint64();
  // rng.random(): uniform in [0, 1), a multiple of 2^-53
  double random();
  // rng.standard_normal(). In 1 draw of 3900, beyond 3.65, the value is made
  // with libm's log1p; in 1 of 150, at the edge of a layer, exp decides whether
  // the draw is kept. Everything else is exact arithmetic and one product.
  double standard_normal();

  // rng.random(shape), rng.standard_normal(shape): row-major order of draws
  Tensor random(const Shape& shape);
  Tensor standard_normal(const Shape& shape);

 private:
  double normal_tail();

  // 128-bit state and increment as two words, high first
  std::uint64_t state_high_ = 0;
  std::uint64_t state_low_ = 0;
  std::uint64_t increment_high_ = 0;
  std::uint64_t increment_low_ = 0;
};

}  // namespace reference
