// SPDX-License-Identifier: MIT
// Attention as a line of stages, each with its right variant and the wrong ones
// that people write. A hypothesis is a Formula; a fault is one wrong variant.
// One evaluation (prediction.hpp) serves every kind of task and mask mode:
//
//   q, k, v = x w_q, x w_k, x w_v      Operand       projected kinds only
//   split heads | repeat key heads     HeadSplit, Grouping
//   whose rows                         EntryMap
//   s = product(q, k)                  Product
//   z = factor * s                     Scale
//   which keys are hidden, and how     MaskForm, Fill
//   W = softmax(z)                     Softmax
//   W = W * factor                     WeightFactor
//   O = W v                            WeightedSum, ValueFactor
//   merge heads, project, add          HeadMerge, OutputForm, Residual
//   store                              Storage
//
// Every member's default is right, so a fault reads as what it changes.
#pragma once

#include <cstddef>

#include "grader/diagnosis/scale.hpp"

namespace grader {

// Where an operand comes from: an argument of that name, or x times the weight
// of that name (output: w_o); `input` is x itself.
enum class Source { query, key, value, output, input };

struct Operand {
  Source source = Source::query;
  bool weight_transposed = false;  // x @ w^T
  bool activated = false;          // ReLU

  auto operator<=>(const Operand&) const = default;
};

// How (..., n, H d) becomes (..., H, n, d). Where heads come as an axis of
// their own, only `not_transposed` means anything: the axes of heads and tokens
// exchanged.
enum class HeadSplit {
  by_columns,     // right: head h owns columns h d .. (h+1) d
  by_reshape,     // reshape(..., H, n, d), no transpose
  feature_major,  // head h owns columns h, h + H, ...
  reversed,       // last head first
  rolled,         // by one head
  rolled_back,
  first_columns,   // every head uses the columns of head 0
  first_block,     // x is split first, every head uses w[:d, :d]
  not_transposed,  // (..., n, H, d): a token attends over its own heads
};

// Key and value heads of grouped queries.
enum class Grouping { repeat, tile, first_head, along_tokens };

// From which leading entry (b, h) the rows of an operand are taken. Where the
// axis does not exist, from its own.
enum class EntryMap {
  own,
  first_batch,
  next_batch,
  previous_batch,
  reversed_batch,
  first_head,
  next_head,
  previous_head,
  reversed_heads,
  next_key_head,  // of the grouped ones, before they are repeated
  previous_key_head,
  sum,          // flat entry b + h in place of b H + h
  batch_only,   // flat entry b
  heads_outer,  // flat entry h B + b
};

enum class Product {
  queries_keys,         // q k^T
  keys_all_axes,        // q k.T, every axis reversed
  keys_not_transposed,  // q k
  keys_leading_axes,    // axes 0 and 1 of k exchanged, whatever the rank
  keys_first_axes,      // axes 1 and 2
  keys_queries,         // k q^T
  keys_reshaped,        // k.reshape(..., d, m)
  cosine,               // rows of q and k normalised to length 1
  cosine_queries,
  cosine_keys,
  // Only the first columns enter:
  half_features,    // d / 2
  one_feature,      // 1
  all_but_one,      // d - 1
  value_width,      // min(d, d_v)
  multiple_of_two,  // d rounded down, a loop without its tail
  multiple_of_four,
  multiple_of_eight,
  multiple_of_sixteen,
  at_most_eight,  // a fixed buffer
  at_most_sixteen,
  at_most_thirty_two,
};

// Which keys a query may see; n, m the sizes, i a query, j a key.
enum class MaskForm {
  given,
  ignored,
  inverted,
  axes_swapped,     // the last two
  axes_reversed,    // mask.T
  as_column,        // a mask of one axis hides queries
  read_transposed,  // cell (i, j) is read at j n + i, whatever the sizes
  first_batch,      // mask[0], where the mask has an axis of batches
  first_entry,      // mask[0] always
  heads_tiled,      // flat entry i wears the mask of batch i % B
  heads_repeated,
  strict,                    // causal: j < i
  one_ahead,                 // j <= i + 1
  future,                    // j >= i
  future_strict,             // j > i
  causal_too,                // j <= i as well as the mask, if any
  causal_too_aligned_right,  // j <= i + m - n
};

// What hidden scores become. The right answer does not depend on the first
// three; wrong masks and wrong axes do, through rows that nothing is left of.
enum class Fill {
  minus_infinity,        // such a row is NaN
  large_negative,        // replaced by -1e9: uniform
  large_negative_added,  // -1e9 added
  replaced,              // by Formula::fill
  replaced_then_scaled,
  added,  // Formula::fill is added after the scale
  added_then_scaled,
  after_softmax,                 // weights set to 0
  minus_infinity_after_softmax,  // weights set to -inf
  large_negative_after_softmax,  // weights set to -1e9
  nan_where_kept,                // (1 - mask) * -inf
  nan_where_hidden,              // a fill of +inf
};

enum class Softmax {
  over_keys,  // right
  over_queries,
  over_batch,
  over_heads,
  over_matrix,       // one distribution a matrix
  over_all,          // one distribution for the whole tensor
  over_singleton,    // an axis of size 1: all weights are 1
  missing,           // z
  missing_divided,   // z / sum z
  unnormalised,      // exp(z - max z)
  unnormalised_raw,  // exp(z)
  sums_lose_axis,    // e / e.sum(-1), e = exp(z - max z): row sums to columns
  maxima_lose_axis,  // the same with the maxima
  both_lose_axis,
  sums_to_columns,  // e / e.sum(-1)[..., None, :], within each matrix
  both_to_columns,
  column_sums,          // e / the sum of the column
  column_sums_to_rows,  // row i divided by the sum of column i
  column_maxima,        // exp(z - the column's max) / sum
  twice,
  twice_masked,  // hidden again before the second
  sigmoid,
  sigmoid_divided,  // by the row's sum
  relu,
  relu_divided,
  plus_one,          // exp(z) / (1 + sum exp(z)), without overflow
  plus_one_raw,      // the same, as it stands
  plus_one_shifted,  // exp(z - max z) / (1 + sum)
  log,
  l2,                 // z / |z|
  l2_of_powers,       // exp(z - max z) / its length
  no_max_shift,       // exp(z) / sum exp(z)
  global_max,         // one max for the whole tensor
  matrix_max,         // one max a matrix
  constant_shift,     // exp(z - shift) / sum
  running_max,        // a running max that starts at `shift`
  negated,            // softmax(-z)
  renormalised_mask,  // all keys first, hidden ones zeroed, rows divided: right
};

// What exponentials that are divided by the wrong sums are shifted by: the
// maximum that goes with those sums, nothing, the largest score of all.
enum class Shift { own, none, largest };

enum class WeightFactor { none, by_sqrt_dk };
enum class WeightedSum {
  weights,
  weights_transposed,
  mean,       // of all values, whatever the weights
  head_mean,  // every head sums with the mean weights of all
};
enum class ValueFactor { none, by_sqrt_dk };

// How (..., H, n, d) becomes (..., n, H d); multi-head only.
enum class HeadMerge {
  by_columns,
  by_reshape,
  feature_major,
  reversed,
  rolled,
  rolled_back,
  averaged,       // the mean head, repeated
  averaged_once,  // the mean head through the first rows of w_o
  maximum,        // the largest of the heads, repeated
  summed,
  batch_outer,  // (H, B, n, d) read as (B, n, H d)
};

enum class OutputForm {
  projected,
  not_projected,
  weight_transposed,
  value_weight,  // w_v in place of w_o
};

enum class Residual {
  none,
  input,   // x (or q, where that is the first argument) is added at the end
  values,  // v is added to O
  input_before_projection,  // (O + x) w_o
};

// An integer buffer truncates what is stored in it.
enum class Storage { exact, output, weights, scores, raw_scores };

struct Formula {
  Operand query{.source = Source::query};
  Operand key{.source = Source::key};
  Operand value{.source = Source::value};
  HeadSplit split = HeadSplit::by_columns;
  Grouping key_groups = Grouping::repeat;
  Grouping value_groups = Grouping::repeat;
  EntryMap queries_of = EntryMap::own;
  EntryMap keys_of = EntryMap::own;
  EntryMap values_of = EntryMap::own;
  Product product = Product::queries_keys;
  Scale scale = scales::by_sqrt_dk;
  double scale_error = 0.0;  // its relative uncertainty, where it was fitted
  MaskForm mask = MaskForm::given;
  Fill fill_form = Fill::minus_infinity;
  double fill = 0.0;  // of the replaced and added forms
  Softmax softmax = Softmax::over_keys;
  double shift = 0.0;  // of constant_shift and running_max
  Shift exponent_shift = Shift::own;
  // Where the denominator is 0, or nothing is left of a row, the weights are 0
  // and not 0/0.
  bool guarded = false;
  // Added to the denominator: to the sum of exponentials after the max shift
  // (the raw one with no_max_shift), or to the sum of weights that a first
  // division has left.
  double epsilon = 0.0;
  bool epsilon_on_shares = false;
  // max(sum, epsilon) in place of the sum of both.
  bool epsilon_is_least = false;
  WeightFactor weight_factor = WeightFactor::none;
  WeightedSum weighted_sum = WeightedSum::weights;
  ValueFactor value_factor = ValueFactor::none;
  HeadMerge merge = HeadMerge::by_columns;
  OutputForm output = OutputForm::projected;
  Residual residual = Residual::none;
  Storage storage = Storage::exact;
  // A number in it was read off one submission's answers.
  bool is_fitted = false;

  auto operator<=>(const Formula&) const = default;
};

struct FormulaHash {
  std::size_t operator()(const Formula& formula) const;
};

// The member-wise union of two variants; where both change a member, b's.
Formula combine(const Formula& a, const Formula& b);

// Whether the two change no member in common.
bool are_independent(const Formula& a, const Formula& b);

}  // namespace grader
