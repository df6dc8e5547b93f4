#include <attngrade.h>
#include <math.h>
#include <stdlib.h>

/* Query head h reads key head h / (heads / kv_heads). */
int grouped_query_attention(const double *q, const double *k, const double *v,
                            attention_shape s, int64_t kv_heads,
                            double *output, double *weights) {
  int64_t group = s.heads / kv_heads;
  double *p = malloc(sizeof(double) * (size_t)s.n_k);
  if (!p) return 12;
  for (int64_t b = 0; b < s.batch; b++)
    for (int64_t h = 0; h < s.heads; h++) {
      int64_t kv = b * kv_heads + h / group;
      const double *kh = k + kv * s.n_k * s.d_k, *vh = v + kv * s.n_k * s.d_v;
      for (int64_t i = 0; i < s.n_q; i++) {
        int64_t r = (b * s.heads + h) * s.n_q + i;
        double best = -INFINITY, z = 0;
        for (int64_t j = 0; j < s.n_k; j++) {
          p[j] = 0;
          for (int64_t d = 0; d < s.d_k; d++)
            p[j] += q[r * s.d_k + d] * kh[j * s.d_k + d];
          p[j] /= sqrt(s.d_k);
          best = fmax(best, p[j]);
        }
        for (int64_t j = 0; j < s.n_k; j++) z += p[j] = exp(p[j] - best);
        for (int64_t c = 0; c < s.d_v; c++) {
          double sum = 0;
          for (int64_t j = 0; j < s.n_k; j++) sum += p[j] * vh[j * s.d_v + c];
          output[r * s.d_v + c] = sum / z;
        }
        for (int64_t j = 0; weights && j < s.n_k; j++)
          weights[r * s.n_k + j] = p[j] / z;
      }
    }
  free(p);
  return 0;
}
