#include <attngrade.h>
#include <math.h>
#include <stdlib.h>

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

int causal_attention(const double *q, const double *k, const double *v,
                     attention_shape s, double *output, double *weights) {
  double *p = malloc((size_t)s.n_k * sizeof *p);
  if (p == NULL) return 1;
  (void)q;
  for (int64_t r = 0; r < s.batch * s.heads * s.n_q; r++) {
    const int64_t i = r % s.n_q, first = r - i; /* queries and keys pair up */
    double top = -INFINITY, total = 0;
    for (int64_t j = 0; j <= i; j++) {
      p[j] = dot(k + r * s.d_k, k + (first + j) * s.d_k, s.d_k) / sqrt((double)s.d_k);
      top = fmax(top, p[j]);
    }
    for (int64_t j = 0; j <= i; j++) total += p[j] = exp(p[j] - top);
    for (int64_t c = 0; c < s.d_v; c++) {
      double sum = 0;
      for (int64_t j = 0; j <= i; j++) sum += p[j] * v[(first + j) * s.d_v + c];
      output[r * s.d_v + c] = sum / total;
    }
    for (int64_t j = 0; weights && j < s.n_k; j++)
      weights[r * s.n_k + j] = j <= i ? p[j] / total : 0;
  }
  free(p);
  return 0;
}
