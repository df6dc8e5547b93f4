#include "attngrade.h"

#include <cmath>
#include <vector>

extern "C" int causal_attention(const double* q, const double* k,
                                const double* v, attention_shape shape,
                                double* output, double* weights) {
  for (int64_t s = 0; s < shape.batch * shape.heads; ++s) {
    for (int64_t i = 0; i < shape.n_q; ++i) {
      const double* qi = q + (s * shape.n_q + i) * shape.d_k;
      std::vector<double> p(i + 1);  // the past and the present
      double top = -INFINITY;
      for (int64_t j = 0; j <= i; ++j) {
        const double* kj = k + (s * shape.n_k + j) * shape.d_k;
        for (int64_t d = 0; d < shape.d_k; ++d) p[j] += qi[d] * kj[d];
        if (p[j] > top) top = p[j];
      }
      double total = 0;
      for (double& x : p) total += (x = std::exp(x - top));

      double* out = output + (s * shape.n_q + i) * shape.d_v;
      for (int64_t c = 0; c < shape.d_v; ++c) {
        out[c] = 0;
        for (int64_t j = 0; j <= i; ++j)
          out[c] += p[j] / total * v[(s * shape.n_k + j) * shape.d_v + c];
      }
      if (!weights) continue;
      double* row = weights + (s * shape.n_q + i) * shape.n_k;
      for (int64_t j = 0; j < shape.n_k; ++j) row[j] = j <= i ? p[j] / total : 0;
    }
  }
  return 0;
}
