#include <attngrade.h>
#include <math.h>
#include <stdlib.h>

int grouped_query_attention(const double *q, const double *k, const double *v,
                            attention_shape s, int64_t kv_heads,
                            double *output, double *weights) {
  double *p = malloc((size_t)s.n_k * sizeof *p);
  if (p == NULL) return 1;
  for (int64_t r = 0; r < s.batch * s.heads * s.n_q; r++) {
    const int64_t b = r / (s.heads * s.n_q), h = r / s.n_q % s.heads;
    const int64_t first = (b * kv_heads + h % kv_heads) * s.n_k;
    double top = -INFINITY, total = 0;
    for (int64_t j = 0; j < s.n_k; j++) {
      p[j] = 0;
      for (int64_t d = 0; d < s.d_k; d++)
        p[j] += q[r * s.d_k + d] * k[(first + j) * s.d_k + d];
      p[j] /= sqrt((double)s.d_k);
      top = fmax(top, p[j]);
    }
    for (int64_t j = 0; j < s.n_k; j++) total += p[j] = exp(p[j] - top);
    for (int64_t c = 0; c < s.d_v; c++) {
      double sum = 0;
      for (int64_t j = 0; j < s.n_k; j++) sum += p[j] * v[(first + j) * s.d_v + c];
      output[r * s.d_v + c] = sum / total;
    }
    for (int64_t j = 0; weights && j < s.n_k; j++)
      weights[r * s.n_k + j] = p[j] / total;
  }
  free(p);
  return 0;
}
