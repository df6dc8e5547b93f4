#include <attngrade.h>
#include <math.h>
#include <stdlib.h>

int attention(const double *q, const double *k, const double *v,
              attention_shape s, double *output, double *weights) {
  double *p = malloc((size_t)s.n_k * sizeof *p);
  if (p == NULL) return 1;
  for (int64_t b = 0; b < s.batch; b++)
    for (int64_t h = 0; h < s.heads; h++) {
      const double *keys = k + b * s.heads * s.n_k * s.d_k;
      const double *values = v + (b * s.heads + h) * s.n_k * s.d_v;
      for (int64_t i = 0; i < s.n_q; i++) {
        const int64_t r = (b * s.heads + h) * s.n_q + i;
        double top = -INFINITY, total = 0;
        for (int64_t j = 0; j < s.n_k; j++) {
          p[j] = 0;
          for (int64_t d = 0; d < s.d_k; d++)
            p[j] += q[r * s.d_k + d] * keys[j * s.d_k + d];
          p[j] /= sqrt((double)s.d_k);
          if (p[j] > top) top = p[j];
        }
        for (int64_t j = 0; j < s.n_k; j++) total += p[j] = exp(p[j] - top);
        for (int64_t c = 0; c < s.d_v; c++) {
          double sum = 0;
          for (int64_t j = 0; j < s.n_k; j++) sum += p[j] * values[j * s.d_v + c];
          output[r * s.d_v + c] = sum / total;
        }
        for (int64_t j = 0; weights && j < s.n_k; j++)
          weights[r * s.n_k + j] = p[j] / total;
      }
    }
  free(p);
  return 0;
}
