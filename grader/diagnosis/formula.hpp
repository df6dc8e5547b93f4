// SPDX-License-Identifier: MIT
// Attention as a line of stages, each with its right variant and the wrong ones
// that people write. A hypothesis is a Formula; a fault is one wrong variant.
// One evaluation serves every kind of task and every mask mode:
//
//   project, split heads | repeat key heads    by kind
//   s = product(q, k)                          Product
//   z = factor * s                             Scale
//   hide keys                                  Fill
//   W = softmax(z)                             Softmax
//   W = W * factor                             WeightFactor
//   O = W v, merge heads, project              ValueFactor
//
// Shapes follow numpy's rules, so a variant that numpy refuses is refused here:
// that is a loud prediction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/scale.hpp"
#include "grader/fixture/case.hpp"
#include "grader/worker/outcome.hpp"

namespace grader {

enum class Product {
  queries_keys,         // q k^T
  keys_all_axes,        // q k.T, every axis reversed
  keys_not_transposed,  // q k
  keys_queries,         // k q^T
};

// What hidden scores become. The right answer does not depend on it; some wrong
// ones do.
enum class Fill {
  minus_infinity,
  large_negative,     // replaced by -1e9
  added,              // Formula::fill is added after the scale
  added_then_scaled,  // Formula::fill is added before the scale
};

enum class Softmax {
  over_keys,  // right
  over_queries,
  over_batch,
  over_heads,
  over_matrix,  // one distribution a matrix
  over_all,     // one distribution for the whole tensor
  missing,
  unnormalised,       // exp(z - max z)
  unnormalised_raw,   // exp(z)
  no_max_shift,       // exp(z) / sum exp(z)
  negated,            // softmax(-z)
  renormalised_mask,  // all keys first, hidden ones zeroed, rows divided: right
};

enum class WeightFactor { none, by_sqrt_dk };
enum class ValueFactor { none, by_sqrt_dk, mean };  // mean: of all values

struct Formula {
  Product product = Product::queries_keys;
  Scale scale = scales::by_sqrt_dk;
  double scale_error = 0.0;  // its relative uncertainty, where it was fitted
  Fill fill_form = Fill::minus_infinity;
  double fill = 0.0;  // of the added forms
  Softmax softmax = Softmax::over_keys;
  // Added to the denominator: to the sum of exponentials after the max shift
  // (the raw one with no_max_shift), or to the sum of weights that a first
  // division has left.
  double epsilon = 0.0;
  bool epsilon_on_shares = false;
  WeightFactor weight_factor = WeightFactor::none;
  ValueFactor value_factor = ValueFactor::none;

  bool operator==(const Formula&) const = default;
};

struct Prediction {
  // Why the calculation is refused, or what shape the weights come out with
  // instead of the right one; empty when it goes through silently.
  std::string loud;
  reference::Tensor weights;
  reference::Tensor output;
  double score = 0.0;  // max |z| over the scores that count, for the tolerance
  // Rows of the weights that depend on how exponentials underflow, one flag a
  // row; empty: none. They prove nothing either way.
  std::vector<std::uint8_t> unreliable_rows;
};

// q k^T and its wrong variants before the scale, or why numpy refuses them.
struct RawScores {
  reference::Tensor scores;
  std::string refused;
};

// What every formula starts from, made once a case: head-wise operands q (...,
// n, d_k), k (..., m, d_k), v (..., m, d_v) after projections, split and
// repetition of key heads, and the products of queries and keys.
struct FormulaInputs {
  const Case* test_case = nullptr;  // outlives this
  reference::Tensor q;
  reference::Tensor k;
  reference::Tensor v;
  std::optional<reference::Mask> mask;  // of the right scores' shape
  std::map<Product, RawScores> products;

  const reference::Tensor& right_scores() const {
    return products.at(Product::queries_keys).scores;
  }
};

FormulaInputs make_inputs(const Case& test_case);

// Whether a softmax over that axis means anything on the case.
bool applies(const Formula& formula, const Case& test_case);

// `precision` bounds the exponentials: float32 overflows at 88, float64 at 709.
// Requires applies(). All but the output, which costs as much again.
Prediction predict_weights(const Formula& formula, const FormulaInputs& inputs,
                           DType precision);

// Fills in the output of a prediction that is not loud.
void predict_output(const Formula& formula, const FormulaInputs& inputs,
                    Prediction& prediction);

// Both.
Prediction predict(const Formula& formula, const FormulaInputs& inputs,
                   DType precision);

}  // namespace grader
