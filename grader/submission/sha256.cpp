// SPDX-License-Identifier: MIT
// The names a..h, sigma, schedule and the round constants are those of FIPS
// 180-4, sections 4.1.2, 4.2.2 and 6.2.2.
#include "grader/submission/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace grader {

namespace {

constexpr std::size_t block_size = 64;  // bytes

// First 32 bits of the fractional parts of the cube roots of the first 64
// primes.
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

std::array<std::uint32_t, 64> expand(std::string_view block) {
  std::array<std::uint32_t, 64> schedule{};
  for (std::size_t i = 0; i < block_size; ++i) {
    schedule[i / 4] =
        schedule[i / 4] << 8U | static_cast<unsigned char>(block[i]);
  }
  for (std::size_t t = 16; t < schedule.size(); ++t) {
    const std::uint32_t early = schedule[t - 15];
    const std::uint32_t late = schedule[t - 2];
    const std::uint32_t sigma_0 =
        std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3U;
    const std::uint32_t sigma_1 =
        std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10U;
    schedule[t] = schedule[t - 16] + sigma_0 + schedule[t - 7] + sigma_1;
  }
  return schedule;
}

void compress(State& state, std::string_view block) {
  const auto schedule = expand(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < schedule.size(); ++t) {
    const std::uint32_t sum_1 =
        std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t first =
        h + sum_1 + choice + round_constants[t] + schedule[t];
    const std::uint32_t sum_0 =
        std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + sum_0 + majority;
  }
  const State added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) {
    state[i] += added[i];
  }
}

// What follows the last whole block: its rest, a 1 bit, zeros, and the length
// in bits as 64 bits, big-endian.
std::string padded_tail(std::string_view bytes) {
  std::string tail(bytes.substr(bytes.size() - bytes.size() % block_size));
  tail += '\x80';
  while (tail.size() % block_size != block_size - 8) {
    tail += '\0';
  }
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    tail += static_cast<char>(bits >> static_cast<unsigned>(shift) & 0xffU);
  }
  return tail;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  // First 32 bits of the fractional parts of the square roots of the first 8
  // primes.
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const std::string tail = padded_tail(bytes);
  for (std::size_t i = 0; i + block_size <= bytes.size(); i += block_size) {
    compress(state, bytes.substr(i, block_size));
  }
  for (std::size_t i = 0; i < tail.size(); i += block_size) {
    compress(state, std::string_view(tail).substr(i, block_size));
  }
  std::string text;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      text += "0123456789abcdef"[word >> static_cast<unsigned>(shift) & 0xfU];
    }
  }
  return text;
}

}  // namespace grader
