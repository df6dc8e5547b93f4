// SPDX-License-Identifier: MIT
// The fault: `d ** 1 / 2` is half of d and not its square root, for ** binds
// tighter than /. attngrade calls it scale-half-dk:
//   attngrade grade --command 'node attention_wrong.js' --task attention
'use strict';

const { serve } = require('./safetensors.js');

function rows({ shape, data }) {
  const width = shape.at(-1);
  return Array.from({ length: data.length / width }, (_, i) => data.subarray(i * width, (i + 1) * width));
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function softmax(scores) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

serve(({ q, k, v }) => {
  const [n, d] = q.shape.slice(-2);
  const [m, width] = v.shape.slice(-2);
  const keys = rows(k);
  const values = rows(v);
  const output = rows(q).flatMap((query, row) => {
    const first = Math.floor(row / n) * m; // key of the same batch entry and head
    const scores = keys.slice(first, first + m).map((key) => dot(query, key) / (d ** 1 / 2));
    const weights = softmax(scores);
    return Array.from({ length: width }, (_, c) => dot(weights, values.slice(first, first + m).map((value) => value[c])));
  });
  return { output: { shape: [...q.shape.slice(0, -1), width], data: Float64Array.from(output) } };
});
