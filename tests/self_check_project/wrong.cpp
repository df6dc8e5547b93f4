// SPDX-License-Identifier: MIT
// The scores are not scaled.
#include <attngrade.h>
#include <numeric>
#include <vector>

#include "helpers.hpp"

extern "C" int attention(const double* q, const double* k, const double* v,
                         attention_shape shape, double* output,
                         double* weights) {
  const std::int64_t rows = shape.batch * shape.heads * shape.n_q;
  std::vector<double> row(static_cast<std::size_t>(shape.n_k));
  for (std::int64_t r = 0; r < rows; ++r) {
    const double* query = q + r * shape.d_k;
    const double* keys = k + r / shape.n_q * shape.n_k * shape.d_k;
    const double* values = v + r / shape.n_q * shape.n_k * shape.d_v;
    for (double& score : row) {
      score = std::inner_product(query, query + shape.d_k, keys, 0.0);
      keys += shape.d_k;
    }
    softmax(row.data(), shape.n_k);
    double* out = output + r * shape.d_v;
    for (std::int64_t c = 0; c < shape.d_v; ++c)
      out[c] = 0.0;
    for (std::int64_t j = 0; j < shape.n_k; ++j) {
      const double weight = row[static_cast<std::size_t>(j)];
      for (std::int64_t c = 0; c < shape.d_v; ++c) {
        out[c] += weight * values[j * shape.d_v + c];
      }
      if (weights != nullptr) {
        weights[r * shape.n_k + j] = weight;
      }
    }
  }
  return 0;
}
