// SPDX-License-Identifier: MIT
#include "reference/lookup.hpp"

#include <algorithm>
#include <cmath>

namespace reference {
namespace {

// a (n, inner), b (inner, m). The order of each sum is that of `inner`.
Tensor product(const Tensor& a, const Tensor& b) {
  const auto n = static_cast<std::size_t>(a.size(0));
  const auto inner = static_cast<std::size_t>(a.size(1));
  const auto m = static_cast<std::size_t>(b.size(1));
  Tensor result({a.size(0), b.size(1)});
  for (std::size_t i = 0; i < n; ++i) {
    double* row = &result.data[i * m];
    for (std::size_t k = 0; k < inner; ++k) {
      const double factor = a.data[i * inner + k];
      const double* other = &b.data[k * m];
      for (std::size_t j = 0; j < m; ++j) {
        row[j] += factor * other[j];
      }
    }
  }
  return result;
}

Tensor transposed(const Tensor& matrix) {
  return swap_last_axes(matrix);
}

// Each row of n numbers in place.
void softmax_rows(Tensor& scores) {
  const auto m = static_cast<std::size_t>(scores.size(1));
  for (auto row = scores.data.begin(); row != scores.data.end();
       row += static_cast<std::ptrdiff_t>(m)) {
    const auto end = row + static_cast<std::ptrdiff_t>(m);
    const double largest = *std::max_element(row, end);
    double sum = 0.0;
    std::for_each(row, end, [&](double& score) {
      score = std::exp(score - largest);
      sum += score;
    });
    std::for_each(row, end, [sum](double& weight) { weight /= sum; });
  }
}

double sum_of_squares(const Tensor& tensor) {
  double sum = 0.0;
  for (const double value : tensor.data) {
    sum += value * value;
  }
  return sum;
}

// What the backward pass needs of the forward one.
struct Forward {
  Tensor q;        // (n, d_k)
  Tensor k;        // (n, d_k)
  Tensor weights;  // (n, n)
  Tensor error;    // (n, d_v)
  double loss = 0.0;
};

Forward forward(const LookupTask& task, const LookupWeights& weights,
                double factor) {
  Forward pass;
  pass.q = product(task.y, weights.w_q);
  pass.k = product(task.x, weights.w_k);
  pass.weights = scale(product(pass.q, transposed(pass.k)), factor);
  softmax_rows(pass.weights);
  pass.error = product(pass.weights, task.v);
  for (std::size_t i = 0; i < pass.error.data.size(); ++i) {
    pass.error.data[i] -= task.v.data[i];
  }
  pass.loss =
      sum_of_squares(pass.error) / static_cast<double>(pass.error.data.size());
  return pass;
}

// w (d_w - sum(w d_w)) factor, row by row.
Tensor through_softmax(const Tensor& weights, const Tensor& d_weights,
                       double factor) {
  const auto m = static_cast<std::size_t>(weights.size(1));
  Tensor d_scores(weights.shape);
  for (std::size_t begin = 0; begin < weights.data.size(); begin += m) {
    double sum = 0.0;
    for (std::size_t j = begin; j < begin + m; ++j) {
      sum += weights.data[j] * d_weights.data[j];
    }
    for (std::size_t j = begin; j < begin + m; ++j) {
      d_scores.data[j] = weights.data[j] * (d_weights.data[j] - sum) * factor;
    }
  }
  return d_scores;
}

Tensor stepped(const Tensor& values, const Tensor& gradient, double rate) {
  Tensor result = values;
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] -= gradient.data[i] * rate;
  }
  return result;
}

}  // namespace

LookupGradient lookup_gradient(const LookupTask& task,
                               const LookupWeights& weights, double factor) {
  const Forward pass = forward(task, weights, factor);
  const double each = 2.0 / static_cast<double>(pass.error.data.size());
  const Tensor d_weights = product(scale(pass.error, each), transposed(task.v));
  const Tensor d_scores = through_softmax(pass.weights, d_weights, factor);
  return {pass.loss,
          pass.weights,
          {product(transposed(task.y), product(d_scores, pass.k)),
           product(transposed(task.x), product(transposed(d_scores), pass.q))}};
}

double lookup_loss(const LookupTask& task, const LookupWeights& weights,
                   double factor) {
  return forward(task, weights, factor).loss;
}

double norm(const LookupWeights& weights) {
  return std::sqrt(sum_of_squares(weights.w_q) + sum_of_squares(weights.w_k));
}

LookupWeights descend(const LookupWeights& weights,
                      const LookupWeights& gradient, double rate) {
  return {stepped(weights.w_q, gradient.w_q, rate),
          stepped(weights.w_k, gradient.w_k, rate)};
}

}  // namespace reference
