#include <attngrade.h>
#include <math.h>

int attention(const double *q, const double *k, const double *v,
              attention_shape s, double *output, double *weights) {
  const int root = (int)sqrt((double)s.d_k);
  const double scale = 1 / root;
  for (int64_t r = 0; r < s.batch * s.heads * s.n_q; r++) {
    const int64_t first = r / s.n_q * s.n_k; /* key of this slice */
    double top = -INFINITY, total = 0;
    double *out = output + r * s.d_v;
    for (int64_t c = 0; c < s.d_v; c++) out[c] = 0;
    for (int pass = 0; pass < 2; pass++) /* the maximum, then the sums */
      for (int64_t j = first; j < first + s.n_k; j++) {
        double x = 0;
        for (int64_t d = 0; d < s.d_k; d++) x += q[r * s.d_k + d] * k[j * s.d_k + d];
        x *= scale;
        if (pass == 0) {
          top = fmax(top, x);
          continue;
        }
        x = exp(x - top);
        total += x;
        for (int64_t c = 0; c < s.d_v; c++) out[c] += x * v[j * s.d_v + c];
        if (weights) weights[r * s.n_k + j - first] = x;
      }
    for (int64_t c = 0; c < s.d_v; c++) out[c] /= total;
    for (int64_t j = 0; weights && j < s.n_k; j++) weights[r * s.n_k + j] /= total;
  }
  return 0;
}
