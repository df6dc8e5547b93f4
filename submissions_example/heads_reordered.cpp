#include <attngrade.h>

#include <cmath>
#include <vector>

using Matrix = std::vector<double>;

static Matrix times(const double* a, const double* b, int64_t rows, int64_t width) {
  Matrix c(rows * width, 0.0);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t l = 0; l < width; ++l)
      for (int64_t j = 0; j < width; ++j)
        c[i * width + j] += a[i * width + l] * b[l * width + j];
  return c;
}

extern "C" int multi_head_attention(const double* x, const double* w_q,
                                    const double* w_k, const double* w_v,
                                    const double* w_o, multi_head_shape shape,
                                    double* output, double* weights) {
  const auto [batch, n, width, heads] = shape;
  const int64_t size = width / heads;
  const Matrix q = times(x, w_q, batch * n, width);
  const Matrix k = times(x, w_k, batch * n, width);
  const Matrix v = times(x, w_v, batch * n, width);
  Matrix context(batch * n * width, 0.0), p(n);
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < batch * n; ++i) {
      const int64_t first = i / n * n;
      double top = -INFINITY, total = 0.0;
      for (int64_t j = 0; j < n; ++j) {
        p[j] = 0.0;
        for (int64_t c = h * size; c < (h + 1) * size; ++c)
          p[j] += q[i * width + c] * k[(first + j) * width + c];
        p[j] /= std::sqrt(double(size));
        top = std::fmax(top, p[j]);
      }
      for (double& e : p) total += e = std::exp(e - top);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t c = 0; c < size; ++c)
          context[i * width + c * heads + h] +=
              p[j] / total * v[(first + j) * width + h * size + c];
        if (weights) weights[((i / n * heads + h) * n + i % n) * n + j] = p[j] / total;
      }
    }
  const Matrix merged = times(context.data(), w_o, batch * n, width);
  for (std::size_t e = 0; e < merged.size(); ++e) output[e] = merged[e];
  return 0;
}
