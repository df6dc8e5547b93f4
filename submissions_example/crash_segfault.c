#include <attngrade.h>
#include <math.h>

/* The buffer for the scores is never allocated. */
int attention(const double *q, const double *k, const double *v,
              attention_shape s, double *output, double *weights) {
  double *volatile scores = 0;
  for (int64_t j = 0; j < s.n_k; j++) {
    scores[j] = 0;
    for (int64_t d = 0; d < s.d_k; d++) scores[j] += q[d] * k[j * s.d_k + d];
    scores[j] = exp(scores[j] / sqrt((double)s.d_k));
  }
  (void)v, (void)output, (void)weights;
  return 0;
}
