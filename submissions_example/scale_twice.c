#include <attngrade.h>
#include <math.h>
#include <stdlib.h>

int attention(const double *q, const double *k, const double *v,
              attention_shape s, double *output, double *weights) {
  const double root = sqrt((double)s.d_k);
  double *query = malloc((size_t)(s.d_k + s.n_k) * sizeof *query);
  if (query == NULL) return 1;
  double *p = query + s.d_k;
  for (int64_t r = 0; r < s.batch * s.heads * s.n_q; r++) {
    const double *keys = k + r / s.n_q * s.n_k * s.d_k;
    const double *values = v + r / s.n_q * s.n_k * s.d_v;
    double top = -INFINITY, total = 0;
    for (int64_t d = 0; d < s.d_k; d++) query[d] = q[r * s.d_k + d] / root;
    for (int64_t j = 0; j < s.n_k; j++) {
      p[j] = 0;
      for (int64_t d = 0; d < s.d_k; d++) p[j] += query[d] * keys[j * s.d_k + d];
      p[j] /= root;
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
  free(query);
  return 0;
}
