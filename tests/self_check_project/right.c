/* SPDX-License-Identifier: MIT */
#include <attngrade.h>
#include <math.h>

int attention(const double* q, const double* k, const double* v,
              attention_shape shape, double* output, double* weights) {
  const int64_t rows = shape.batch * shape.heads * shape.n_q;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t first = r / shape.n_q * shape.n_k;
    double top = -INFINITY;
    double total = 0.0;
    double scores[shape.n_k];
    for (int64_t j = 0; j < shape.n_k; ++j) {
      scores[j] = 0.0;
      for (int64_t d = 0; d < shape.d_k; ++d) {
        scores[j] += q[r * shape.d_k + d] * k[(first + j) * shape.d_k + d];
      }
      scores[j] /= sqrt((double)shape.d_k);
      top = fmax(top, scores[j]);
    }
    for (int64_t j = 0; j < shape.n_k; ++j) {
      scores[j] = exp(scores[j] - top);
      total += scores[j];
    }
    for (int64_t c = 0; c < shape.d_v; ++c) {
      double sum = 0.0;
      for (int64_t j = 0; j < shape.n_k; ++j) {
        sum += scores[j] * v[(first + j) * shape.d_v + c];
      }
      output[r * shape.d_v + c] = sum / total;
    }
    for (int64_t j = 0; weights && j < shape.n_k; ++j) {
      weights[r * shape.n_k + j] = scores[j] / total;
    }
  }
  return 0;
}
