/* SPDX-License-Identifier: MIT */
#include <attngrade.h>
#include <stdlib.h>

int attention(const double* q, const double* k, const double* v,
              attention_shape shape, double* output, double* weights) {
  (void)q, (void)k, (void)v, (void)shape, (void)output, (void)weights;
  abort();
}
