// SPDX-License-Identifier: MIT
// attention(q, k, v) for any leading axes, with a mask or without:
//   attngrade grade --command 'node attention.js' --task attention
//   attngrade grade --command 'node attention.js' --task masked_attention
//   attngrade grade --command 'node attention.js' --task causal_attention
'use strict';

const { serve } = require('./safetensors.js');

// Whether query i of matrix b may see key j: the mask has fewer axes than the
// weights, or axes of size 1, and is repeated along those.
function maySee(mask, leading, b, i, j) {
  const position = [j, i];
  for (let axis = leading.length - 1, rest = b; axis >= 0; axis--) {
    position.push(rest % leading[axis]);
    rest = Math.floor(rest / leading[axis]);
  }
  let at = 0;
  mask.shape.forEach((size, axis) => {
    const own = position[mask.shape.length - 1 - axis];
    at = at * size + (size === 1 ? 0 : own);
  });
  return mask.data[at] !== 0;
}

function softmax(scores) {
  const largest = Math.max(...scores);
  if (largest === -Infinity) return scores.map(() => 0); // nothing may be seen
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

function attention({ q, k, v, mask }, { task }) {
  const leading = q.shape.slice(0, -2);
  const [n, d] = q.shape.slice(-2);
  const [m, width] = v.shape.slice(-2);
  const matrices = leading.reduce((a, b) => a * b, 1);
  const output = new Float64Array(matrices * n * width);
  const weights = new Float64Array(matrices * n * m);
  const isVisible = (b, i, j) =>
    !(task.startsWith('causal') && j > i) && (!mask || maySee(mask, leading, b, i, j));

  for (let b = 0; b < matrices; b++) {
    for (let i = 0; i < n; i++) {
      const scores = Array.from({ length: m }, (_, j) => {
        let sum = 0;
        for (let c = 0; c < d; c++) sum += q.data[(b * n + i) * d + c] * k.data[(b * m + j) * d + c];
        return isVisible(b, i, j) ? sum / Math.sqrt(d) : -Infinity;
      });
      softmax(scores).forEach((weight, j) => {
        weights[(b * n + i) * m + j] = weight;
        for (let c = 0; c < width; c++) {
          output[(b * n + i) * width + c] += weight * v.data[(b * m + j) * width + c];
        }
      });
    }
  }
  return {
    output: { shape: [...leading, n, width], data: output },
    weights: { shape: [...leading, n, m], data: weights },
  };
}

serve(attention);
