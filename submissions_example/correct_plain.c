/* Attention, three loops a query row: scores, softmax, weighted sum. */
#include <attngrade.h>
#include <math.h>
#include <stdlib.h>

int attention(const double *q, const double *k, const double *v,
              attention_shape s, double *output, double *weights) {
  double *row = malloc((size_t)s.n_k * sizeof *row);
  if (row == NULL) return 1;
  const double root = sqrt((double)s.d_k);

  for (int64_t slice = 0; slice < s.batch * s.heads; slice++) {
    const double *qs = q + slice * s.n_q * s.d_k;
    const double *ks = k + slice * s.n_k * s.d_k;
    const double *vs = v + slice * s.n_k * s.d_v;
    for (int64_t i = 0; i < s.n_q; i++) {
      double top = -INFINITY, total = 0;
      for (int64_t j = 0; j < s.n_k; j++) {
        double dot = 0;
        for (int64_t d = 0; d < s.d_k; d++)
          dot += qs[i * s.d_k + d] * ks[j * s.d_k + d];
        row[j] = dot / root;
        if (row[j] > top) top = row[j];
      }
      for (int64_t j = 0; j < s.n_k; j++) {
        row[j] = exp(row[j] - top);
        total += row[j];
      }
      double *out = output + (slice * s.n_q + i) * s.d_v;
      for (int64_t c = 0; c < s.d_v; c++) out[c] = 0;
      for (int64_t j = 0; j < s.n_k; j++) {
        row[j] /= total;
        for (int64_t c = 0; c < s.d_v; c++) out[c] += row[j] * vs[j * s.d_v + c];
        if (weights != NULL)
          weights[(slice * s.n_q + i) * s.n_k + j] = row[j];
      }
    }
  }
  free(row);
  return 0;
}
