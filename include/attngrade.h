/* SPDX-License-Identifier: MIT
 *
 * The C interface of a submission to attngrade. Include it, define the
 * functions you were asked for, and nothing else is needed:
 *
 *     #include "attngrade.h"
 *
 *     int attention(const double *q, const double *k, const double *v,
 *                   attention_shape shape, double *output, double *weights) {
 *       ...
 *       return 0;
 *     }
 *
 * It is C99 and C++17. From C++ the functions have C linkage through this
 * header; a library in another language exports symbols of these names.
 *
 * Rules for all functions
 *   - Arrays are dense and row-major: the last axis is contiguous. Axes that a
 *     problem does not have (no batch, one head) have size 1.
 *   - `output` and `weights` are the caller's, of the shapes given below, and
 *     hold no useful values on entry. The inputs must not be changed.
 *   - `weights` may be NULL: then only the output is wanted. A function that
 *     never forms the weights may leave the buffer alone in any case.
 *   - Return 0 for success. Any other number is an error of that call and is
 *     shown to you.
 *   - The names with the suffix _f32 are the same functions on float. Define
 *     either form, or both.
 *
 * Meaning, for each batch entry and head, with scale 1 / sqrt(d_k):
 *     weights = softmax(q k^T / sqrt(d_k)) over the keys,  output = weights v
 */
#ifndef ATTNGRADE_H
#define ATTNGRADE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct attention_shape {
  int64_t batch;
  int64_t heads; /* of the queries */
  int64_t n_q;   /* number of queries */
  int64_t n_k;   /* number of keys and values */
  int64_t d_k;   /* width of a query and of a key */
  int64_t d_v;   /* width of a value */
} attention_shape;

typedef struct multi_head_shape {
  int64_t batch;
  int64_t n;       /* number of tokens */
  int64_t d_model; /* width of a token, a multiple of n_heads */
  int64_t n_heads;
} multi_head_shape;

/* q (batch, heads, n_q, d_k), k (batch, heads, n_k, d_k),
 * v (batch, heads, n_k, d_v); output (batch, heads, n_q, d_v),
 * weights (batch, heads, n_q, n_k). */
int attention(const double *q, const double *k, const double *v,
              attention_shape shape, double *output, double *weights);
int attention_f32(const float *q, const float *k, const float *v,
                  attention_shape shape, float *output, float *weights);

/* mask (batch, heads, n_q, n_k): 1 = the query may attend to the key, 0 = its
 * weight is 0. */
int masked_attention(const double *q, const double *k, const double *v,
                     const uint8_t *mask, attention_shape shape, double *output,
                     double *weights);
int masked_attention_f32(const float *q, const float *k, const float *v,
                         const uint8_t *mask, attention_shape shape,
                         float *output, float *weights);

/* n_q = n_k; query i sees the keys 0..i. */
int causal_attention(const double *q, const double *k, const double *v,
                     attention_shape shape, double *output, double *weights);
int causal_attention_f32(const float *q, const float *k, const float *v,
                         attention_shape shape, float *output, float *weights);

/* x (batch, n, d_model), each w (d_model, d_model), applied as x @ w: queries
 * are x @ w_q and so on, the merged heads are multiplied by w_o at the end.
 * Head h owns the columns h * d_model / n_heads up to, but not including,
 * (h + 1) * d_model / n_heads. The scale is that of one head. Output like x,
 * weights (batch, n_heads, n, n). */
int multi_head_attention(const double *x, const double *w_q, const double *w_k,
                         const double *w_v, const double *w_o,
                         multi_head_shape shape, double *output,
                         double *weights);
int multi_head_attention_f32(const float *x, const float *w_q, const float *w_k,
                             const float *w_v, const float *w_o,
                             multi_head_shape shape, float *output,
                             float *weights);

/* As attention(), but k and v have kv_heads heads, of which shape.heads is a
 * multiple: query head h uses key head h / (shape.heads / kv_heads). */
int grouped_query_attention(const double *q, const double *k, const double *v,
                            attention_shape shape, int64_t kv_heads,
                            double *output, double *weights);
int grouped_query_attention_f32(const float *q, const float *k, const float *v,
                                attention_shape shape, int64_t kv_heads,
                                float *output, float *weights);

#ifdef __cplusplus
}
#endif

#endif /* ATTNGRADE_H */
