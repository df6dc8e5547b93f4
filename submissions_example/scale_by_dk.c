#include <math.h>
#include <stdlib.h>
#include "attngrade.h"

int attention(const double *q, const double *k, const double *v,
              attention_shape shape, double *output, double *weights)
{
    int64_t n = shape.n_q, m = shape.n_k, d = shape.d_k, dv = shape.d_v;
    double *s = malloc(m * sizeof(double));
    if (!s)
        return 1;
    for (int64_t g = 0; g < shape.batch * shape.heads; g++) {
        for (int64_t i = 0; i < n; i++) {
            double max = -1.0 / 0.0, sum = 0;
            for (int64_t j = 0; j < m; j++) {
                s[j] = 0;
                for (int64_t c = 0; c < d; c++)
                    s[j] += q[(g * n + i) * d + c] * k[(g * m + j) * d + c];
                s[j] = s[j] / d;
                if (s[j] > max)
                    max = s[j];
            }
            for (int64_t j = 0; j < m; j++) {
                s[j] = exp(s[j] - max);
                sum += s[j];
            }
            for (int64_t c = 0; c < dv; c++) {
                double acc = 0;
                for (int64_t j = 0; j < m; j++)
                    acc += s[j] / sum * v[(g * m + j) * dv + c];
                output[(g * n + i) * dv + c] = acc;
            }
            if (weights)
                for (int64_t j = 0; j < m; j++)
                    weights[(g * n + i) * m + j] = s[j] / sum;
        }
    }
    free(s);
    return 0;
}
