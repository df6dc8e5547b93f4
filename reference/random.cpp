// SPDX-License-Identifier: MIT
#include "reference/random.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "reference/ziggurat_tables.hpp"

namespace reference {
namespace {

// Entropy of one seed, spread over a pool of four words and drawn from it
// again; the constants are those of numpy.random.SeedSequence.
class SeedSequence {
 public:
  explicit SeedSequence(std::uint64_t seed) {
    // numpy hands over as many words as the seed needs, and fills up with 0.
    pool_ = {hash(static_cast<std::uint32_t>(seed)),
             hash(static_cast<std::uint32_t>(seed >> 32)), hash(0), hash(0)};
    for (std::size_t source = 0; source < pool_.size(); ++source) {
      for (std::size_t target = 0; target < pool_.size(); ++target) {
        if (source != target) {
          pool_[target] = mix(pool_[target], hash(pool_[source]));
        }
      }
    }
  }

  // SeedSequence.generate_state(4, uint64)
  std::array<std::uint64_t, 4> generate_state() const {
    std::array<std::uint64_t, 4> state{};
    std::uint32_t constant = 0x8b51f9dd;
    for (std::size_t word = 0; word < 2 * state.size(); ++word) {
      std::uint32_t value = pool_[word % pool_.size()] ^ constant;
      constant *= 0x58f38ded;
      value *= constant;
      value ^= value >> 16;
      state[word / 2] |= std::uint64_t{value} << (word % 2 * 32);
    }
    return state;
  }

 private:
  // Every call hashes with the next constant.
  std::uint32_t hash(std::uint32_t value) {
    value ^= constant_;
    constant_ *= 0x931e8875;
    value *= constant_;
    return value ^ value >> 16;
  }

  static std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t mixed = 0xca01f9dd * x - 0x4973f715 * y;
    return mixed ^ mixed >> 16;
  }

  std::uint32_t constant_ = 0x43b0d7e5;
  std::array<std::uint32_t, 4> pool_{};
};

__extension__ using Word128 = unsigned __int128;

constexpr Word128 join(std::uint64_t high, std::uint64_t low) {
  return Word128{high} << 64 | low;
}

std::uint64_t low_word(Word128 value) {
  // clang-tidy 14 takes this for a conversion to int.
  // NOLINTNEXTLINE(bugprone-narrowing-conversions)
  return static_cast<std::uint64_t>(value);
}

std::uint64_t high_word(Word128 value) {
  return low_word(value >> 64);
}

// The 128-bit multiplier of PCG (pcg_variants.h).
constexpr Word128 multiplier = join(2549297995355413924, 4865540595714422341);

}  // namespace

Random::Random(std::uint64_t seed) {
  const auto words = SeedSequence(seed).generate_state();
  const Word128 increment = join(words[2], words[3]) << 1 | 1;
  // From state 0, one step leaves the increment; the second step follows.
  const Word128 state =
      (increment + join(words[0], words[1])) * multiplier + increment;
  state_high_ = high_word(state);
  state_low_ = low_word(state);
  increment_high_ = high_word(increment);
  increment_low_ = low_word(increment);
}

std::uint64_t Random::next_uint64() {
  const Word128 state = join(state_high_, state_low_) * multiplier +
                        join(increment_high_, increment_low_);
  state_high_ = high_word(state);
  state_low_ = low_word(state);
  return std::rotr(state_high_ ^ state_low_,
                   static_cast<int>(state_high_ >> 58));
}

double Random::random() {
  return static_cast<double>(next_uint64() >> 11) * 0x1p-53;
}

// One draw gives the layer (8 bits), the sign (1) and the place in the layer
// (52). Most places lie inside the layer above and are taken at once; layer 0
// is the base with the tail.
double Random::standard_normal() {
  for (;;) {
    const std::uint64_t bits = next_uint64();
    const auto layer = static_cast<std::size_t>(bits & 0xff);
    const bool negative = (bits >> 8 & 1) != 0;
    const std::uint64_t place = bits >> 9 & 0xfffffffffffff;
    const double distance = static_cast<double>(place) * ziggurat_width[layer];
    const double x = negative ? -distance : distance;
    if (place < ziggurat_inside[layer]) {
      return x;
    }
    if (layer == 0) {
      // numpy takes the sign of a tail from another bit than that of a body.
      const double tail = normal_tail();
      return (place >> 8 & 1) != 0 ? -tail : tail;
    }
    const double above = ziggurat_density[layer - 1];
    const double below = ziggurat_density[layer];
    if ((above - below) * random() + below < std::exp(-0.5 * x * x)) {
      return x;
    }
  }
}

// Marsaglia, "Generating a variable from the tail of the normal distribution",
// 1964.
double Random::normal_tail() {
  for (;;) {
    const double excess = -ziggurat_inverse_edge * std::log1p(-random());
    const double threshold = -std::log1p(-random());
    if (threshold + threshold > excess * excess) {
      return ziggurat_edge + excess;
    }
  }
}

Tensor Random::random(const Shape& shape) {
  Tensor tensor(shape);
  for (double& value : tensor.data) {
    value = random();
  }
  return tensor;
}

Tensor Random::standard_normal(const Shape& shape) {
  Tensor tensor(shape);
  for (double& value : tensor.data) {
    value = standard_normal();
  }
  return tensor;
}

}  // namespace reference
