/* Both tasks by one routine; a key that is hidden is skipped altogether. */
#include "attngrade.h"

#include <math.h>
#include <stdlib.h>

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0.0;
  while (n-- > 0) sum += *a++ * *b++;
  return sum;
}

/* `mask` is one row of n_k flags. Leaves the weights in w. */
static void one_row(const double *q, const double *k, const uint8_t *mask,
                    const attention_shape *s, double *w) {
  double highest = -HUGE_VAL, sum = 0.0;
  for (int64_t j = 0; j < s->n_k; ++j) {
    if (!mask[j]) continue;
    w[j] = dot(q, k + j * s->d_k, s->d_k) / sqrt((double)s->d_k);
    if (w[j] > highest) highest = w[j];
  }
  for (int64_t j = 0; j < s->n_k; ++j) {
    w[j] = mask[j] ? exp(w[j] - highest) : 0.0;
    sum += w[j];
  }
  if (sum > 0.0)
    for (int64_t j = 0; j < s->n_k; ++j) w[j] /= sum;
}

int masked_attention(const double *q, const double *k, const double *v,
                     const uint8_t *mask, attention_shape s, double *output,
                     double *weights) {
  double *w = calloc((size_t)s.n_k, sizeof(double));
  if (!w) return -1;
  for (int64_t r = 0; r < s.batch * s.heads * s.n_q; ++r) {
    int64_t slice = r / s.n_q;
    one_row(q + r * s.d_k, k + slice * s.n_k * s.d_k, mask + r * s.n_k, &s, w);
    for (int64_t c = 0; c < s.d_v; ++c) {
      double sum = 0.0;
      for (int64_t j = 0; j < s.n_k; ++j)
        sum += w[j] * v[(slice * s.n_k + j) * s.d_v + c];
      output[r * s.d_v + c] = sum;
    }
    if (weights)
      for (int64_t j = 0; j < s.n_k; ++j) weights[r * s.n_k + j] = w[j];
  }
  free(w);
  return 0;
}

int causal_attention(const double *q, const double *k, const double *v,
                     attention_shape s, double *output, double *weights) {
  int64_t rows = s.batch * s.heads * s.n_q;
  uint8_t *mask = malloc((size_t)(rows * s.n_k));
  if (!mask) return -1;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t j = 0; j < s.n_k; ++j) mask[r * s.n_k + j] = j <= r % s.n_q;
  int status = masked_attention(q, k, v, mask, s, output, weights);
  free(mask);
  return status;
}
