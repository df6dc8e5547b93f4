// One pass over the keys with a running maximum; the weights are only formed
// when somebody asks for them.
#include <attngrade.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

struct Running {
  double top = -std::numeric_limits<double>::infinity();
  double total = 0.0;
  std::vector<double> sum;

  explicit Running(std::int64_t width) : sum(static_cast<std::size_t>(width)) {}

  void add(double score, const double* value) {
    const double next = std::max(top, score);
    const double fade = std::exp(top - next);
    const double e = std::exp(score - next);
    total = total * fade + e;
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c] = sum[c] * fade + e * value[c];
    }
    top = next;
  }
};

}  // namespace

extern "C" int attention(const double* q, const double* k, const double* v,
                         attention_shape shape, double* output,
                         double* weights) {
  const auto [batch, heads, n_q, n_k, d_k, d_v] = shape;
  std::vector<double> scores(static_cast<std::size_t>(n_k));
  for (std::int64_t s = 0; s < batch * heads; ++s) {
    for (std::int64_t i = s * n_q; i < (s + 1) * n_q; ++i) {
      Running running(d_v);
      for (std::int64_t j = 0; j < n_k; ++j) {
        const double* key = k + (s * n_k + j) * d_k;
        double score = 0.0;
        for (std::int64_t d = 0; d < d_k; ++d) score += q[i * d_k + d] * key[d];
        score /= std::sqrt(static_cast<double>(d_k));
        scores[static_cast<std::size_t>(j)] = score;
        running.add(score, v + (s * n_k + j) * d_v);
      }
      for (std::int64_t c = 0; c < d_v; ++c) {
        output[i * d_v + c] =
            running.sum[static_cast<std::size_t>(c)] / running.total;
      }
      if (weights == nullptr) continue;
      for (std::int64_t j = 0; j < n_k; ++j) {
        weights[i * n_k + j] =
            std::exp(scores[static_cast<std::size_t>(j)] - running.top) /
            running.total;
      }
    }
  }
  return 0;
}
