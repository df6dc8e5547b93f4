// SPDX-License-Identifier: MIT
// One head that learns to look up: query i is to attend to key i. Forward and
// backward pass of
//
//   loss = mean((softmax(factor (y w_q)(x w_k)^T) v - v)^2)
//
// in plain doubles, every sum one term after the other: numpy repeats it to the
// last bit (np.cumsum), which matters, for training can be chaotic.
//
//   n queries and keys, C width of a token, d_k of a head, d_v of a value
#pragma once

#include "reference/tensor.hpp"

namespace reference {

struct LookupTask {
  Tensor y;  // (n, C), what is asked
  Tensor x;  // (n, C), where it is found
  Tensor v;  // (n, d_v), what is found there
};

struct LookupWeights {
  Tensor w_q;  // (C, d_k), applied as y @ w_q
  Tensor w_k;  // (C, d_k)
};

struct LookupGradient {
  double loss = 0.0;
  Tensor attention;        // (n, n), rows sum to 1
  LookupWeights gradient;  // d loss / d weight
};

LookupGradient lookup_gradient(const LookupTask& task,
                               const LookupWeights& weights, double factor);

// The loss alone.
double lookup_loss(const LookupTask& task, const LookupWeights& weights,
                   double factor);

// Of all numbers of both, Euclidean.
double norm(const LookupWeights& weights);

// weights - rate * gradient
LookupWeights descend(const LookupWeights& weights,
                      const LookupWeights& gradient, double rate);

}  // namespace reference
