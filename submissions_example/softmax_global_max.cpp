#include <attngrade.h>

#include <algorithm>
#include <cmath>
#include <vector>

extern "C" int attention(const double* q, const double* k, const double* v,
                         attention_shape s, double* output, double* weights) {
  const int64_t rows = s.batch * s.heads * s.n_q;
  std::vector<double> scores(rows * s.n_k, 0.0);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t j = 0; j < s.n_k; ++j) {
      double& z = scores[r * s.n_k + j];
      for (int64_t d = 0; d < s.d_k; ++d)
        z += q[r * s.d_k + d] * k[(r / s.n_q * s.n_k + j) * s.d_k + d];
      z /= std::sqrt(double(s.d_k));
    }
  const double top = *std::max_element(scores.begin(), scores.end());
  for (int64_t r = 0; r < rows; ++r) {
    double* p = scores.data() + r * s.n_k;
    double total = 0.0;
    for (int64_t j = 0; j < s.n_k; ++j) total += p[j] = std::exp(p[j] - top);
    for (int64_t j = 0; j < s.n_k; ++j) p[j] /= total;
    for (int64_t c = 0; c < s.d_v; ++c) {
      double sum = 0.0;
      for (int64_t j = 0; j < s.n_k; ++j)
        sum += p[j] * v[(r / s.n_q * s.n_k + j) * s.d_v + c];
      output[r * s.d_v + c] = sum;
    }
  }
  if (weights) std::copy(scores.begin(), scores.end(), weights);
  return 0;
}
