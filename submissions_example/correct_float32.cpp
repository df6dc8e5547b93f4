// Single precision: only the float symbol is exported.
#include <attngrade.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

extern "C" int attention_f32(const float* q, const float* k, const float* v,
                             attention_shape shape, float* output,
                             float* weights) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(shape.d_k));
  const std::int64_t rows = shape.batch * shape.heads * shape.n_q;
  std::vector<float> p(static_cast<std::size_t>(shape.n_k));

  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t slice = r / shape.n_q;
    const float* query = q + r * shape.d_k;
    const float* keys = k + slice * shape.n_k * shape.d_k;
    const float* values = v + slice * shape.n_k * shape.d_v;

    for (auto& x : p) {
      x = scale * std::inner_product(query, query + shape.d_k, keys, 0.0f);
      keys += shape.d_k;
    }
    const float top = *std::max_element(p.begin(), p.end());
    for (auto& x : p) x = std::exp(x - top);
    const float total = std::accumulate(p.begin(), p.end(), 0.0f);
    for (auto& x : p) x /= total;

    float* out = output + r * shape.d_v;
    std::fill(out, out + shape.d_v, 0.0f);
    for (const float x : p) {
      for (std::int64_t c = 0; c < shape.d_v; ++c) out[c] += x * values[c];
      values += shape.d_v;
    }
    if (weights) std::copy(p.begin(), p.end(), weights + r * shape.n_k);
  }
  return 0;
}
