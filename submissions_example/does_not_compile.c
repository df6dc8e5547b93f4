#include <attngrade.h>
#include <math.h>

int attention(const double *q, const double *k, const double *v,
              attention_shape shape, double *output, double *weights) {
  for (int64_t i = 0; i < shape.n_q; i++) {
    double sum = 0.0
    for (int64_t j = 0; j < shape.n_k; j++)
      sum += exp(score(q, k, i, j) / root);
  }
  return 0;
}
