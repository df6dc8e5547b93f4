#include <attngrade.h>

#include <cmath>
#include <cstddef>
#include <vector>

using Matrix = std::vector<double>;

// rows x inner times inner x columns
static Matrix product(const double* a, const double* b, std::size_t rows,
                      std::size_t inner, std::size_t columns) {
  Matrix c(rows * columns, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t l = 0; l < inner; ++l)
      for (std::size_t j = 0; j < columns; ++j)
        c[i * columns + j] += a[i * inner + l] * b[l * columns + j];
  return c;
}

static void softmax(double* row, std::size_t n) {
  double top = row[0];
  for (std::size_t j = 1; j < n; ++j) top = std::fmax(top, row[j]);
  double total = 0.0;
  for (std::size_t j = 0; j < n; ++j) total += row[j] = std::exp(row[j] - top);
  for (std::size_t j = 0; j < n; ++j) row[j] /= total;
}

extern "C" int multi_head_attention(const double* x, const double* w_q,
                                    const double* w_k, const double* w_v,
                                    const double* w_o, multi_head_shape shape,
                                    double* output, double* weights) {
  const auto n = static_cast<std::size_t>(shape.n);
  const auto width = static_cast<std::size_t>(shape.d_model);
  const auto heads = static_cast<std::size_t>(shape.n_heads);
  if (heads == 0 || width % heads != 0) return 1;
  const std::size_t size = width / heads;

  for (std::size_t b = 0; b < static_cast<std::size_t>(shape.batch); ++b) {
    const double* xb = x + b * n * width;
    const Matrix q = product(xb, w_q, n, width, width);
    const Matrix k = product(xb, w_k, n, width, width);
    const Matrix v = product(xb, w_v, n, width, width);
    Matrix context(n * width, 0.0);
    Matrix row(n);
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          row[j] = 0.0;
          for (std::size_t c = h * size; c < (h + 1) * size; ++c)
            row[j] += q[i * width + c] * k[j * width + c];
          row[j] /= std::sqrt(static_cast<double>(size));
        }
        softmax(row.data(), n);
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t c = h * size; c < (h + 1) * size; ++c)
            context[i * width + c] += row[j] * v[j * width + c];
          if (weights) weights[((b * heads + h) * n + i) * n + j] = row[j];
        }
      }
    }
    const Matrix out = product(context.data(), w_o, n, width, width);
    for (std::size_t e = 0; e < out.size(); ++e) output[b * n * width + e] = out[e];
  }
  return 0;
}
