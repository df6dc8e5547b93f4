#include <math.h>
#include <stdlib.h>
#include "attngrade.h"

int attention(const double *q, const double *k, const double *v,
              attention_shape shape, double *output, double *weights)
{
    int64_t n = shape.n_q, m = shape.n_k, d = shape.d_k, dv = shape.d_v;
    double *e = malloc(m * sizeof(double));
    if (!e)
        return 1;
    for (int64_t g = 0; g < shape.batch * shape.heads; g++)
        for (int64_t i = 0; i < n; i++) {
            double max = -HUGE_VAL, sum = 0;
            for (int64_t j = 0; j < m; j++) {
                e[j] = 0;
                for (int64_t c = 0; c < d; c++)
                    e[j] += q[(g * n + i) * d + c] * k[(g * m + j) * d + c];
                e[j] /= sqrt(shape.batch);
                if (e[j] > max)
                    max = e[j];
            }
            for (int64_t j = 0; j < m; j++)
                sum += e[j] = exp(e[j] - max);
            for (int64_t c = 0; c < dv; c++) {
                double acc = 0;
                for (int64_t j = 0; j < m; j++)
                    acc += e[j] / sum * v[(g * m + j) * dv + c];
                output[(g * n + i) * dv + c] = acc;
            }
            for (int64_t j = 0; weights && j < m; j++)
                weights[(g * n + i) * m + j] = e[j] / sum;
        }
    free(e);
    return 0;
}
