#include <attngrade.h>
#include <math.h>
#include <stdlib.h>

int masked_attention(const double *q, const double *k, const double *v,
                     const uint8_t *mask, attention_shape s, double *output,
                     double *weights) {
  double *p = malloc((size_t)s.n_k * sizeof *p);
  if (p == NULL) return 1;
  for (int64_t r = 0; r < s.batch * s.heads * s.n_q; r++) {
    const uint8_t *allowed = mask + r % (s.heads * s.n_q) * s.n_k;
    const double *keys = k + r / s.n_q * s.n_k * s.d_k;
    const double *values = v + r / s.n_q * s.n_k * s.d_v;
    double top = -1e300, total = 0;
    for (int64_t j = 0; j < s.n_k; j++) {
      p[j] = 0;
      for (int64_t d = 0; d < s.d_k; d++)
        p[j] += q[r * s.d_k + d] * keys[j * s.d_k + d];
      p[j] = allowed[j] ? p[j] / sqrt((double)s.d_k) : -1e9;
      top = fmax(top, p[j]);
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
  free(p);
  return 0;
}
