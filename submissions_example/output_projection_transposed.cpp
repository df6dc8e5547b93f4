#include <attngrade.h>

#include <algorithm>
#include <cmath>
#include <vector>

// a (rows, width) by w, of which entry (l, j) is w[l * step_l + j * step_j]
static std::vector<double> times(const double* a, const double* w, int64_t rows,
                                 int64_t width, int64_t step_l, int64_t step_j) {
  std::vector<double> c(rows * width, 0.0);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < width; ++j)
      for (int64_t l = 0; l < width; ++l)
        c[i * width + j] += a[i * width + l] * w[l * step_l + j * step_j];
  return c;
}

extern "C" int multi_head_attention(const double* x, const double* w_q,
                                    const double* w_k, const double* w_v,
                                    const double* w_o, multi_head_shape shape,
                                    double* output, double* weights) {
  const auto [batch, n, width, heads] = shape;
  const int64_t size = width / heads;
  const auto q = times(x, w_q, batch * n, width, width, 1);
  const auto k = times(x, w_k, batch * n, width, width, 1);
  const auto v = times(x, w_v, batch * n, width, width, 1);
  std::vector<double> context(batch * n * width, 0.0), p(n);
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < batch * n; ++i) {
      const int64_t first = i / n * n;
      for (int64_t j = 0; j < n; ++j) {
        p[j] = 0.0;
        for (int64_t c = h * size; c < (h + 1) * size; ++c)
          p[j] += q[i * width + c] * k[(first + j) * width + c];
        p[j] /= std::sqrt(double(size));
      }
      const double top = *std::max_element(p.begin(), p.end());
      double total = 0.0;
      for (double& e : p) total += e = std::exp(e - top);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t c = h * size; c < (h + 1) * size; ++c)
          context[i * width + c] += p[j] / total * v[(first + j) * width + c];
        if (weights) weights[((i / n * heads + h) * n + i % n) * n + j] = p[j] / total;
      }
    }
  const auto merged = times(context.data(), w_o, batch * n, width, 1, width);
  std::copy(merged.begin(), merged.end(), output);
  return 0;
}
