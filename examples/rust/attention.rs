// SPDX-License-Identifier: MIT
// attention() of include/attngrade.h, as a shared library:
//   rustc --crate-type cdylib -O attention.rs -o libattention.so
//   attngrade grade libattention.so

/// The struct of the same name in attngrade.h, field by field.
#[repr(C)]
pub struct AttentionShape {
    batch: i64,
    heads: i64,
    n_q: i64,
    n_k: i64,
    d_k: i64,
    d_v: i64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn softmax(row: &mut [f64]) {
    let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    row.iter_mut().for_each(|score| *score = (*score - largest).exp());
    let sum: f64 = row.iter().sum();
    row.iter_mut().for_each(|power| *power /= sum);
}

/// One batch entry and head; `weights` holds the scores on the way.
fn attend(q: &[f64], k: &[f64], v: &[f64], d_k: usize, d_v: usize, output: &mut [f64], weights: &mut [f64]) {
    let n_k = k.len() / d_k;
    let scale = 1.0 / (d_k as f64).sqrt();
    for (i, query) in q.chunks_exact(d_k).enumerate() {
        let row = &mut weights[i * n_k..][..n_k];
        for (score, key) in row.iter_mut().zip(k.chunks_exact(d_k)) {
            *score = dot(query, key) * scale;
        }
        softmax(row);
        let result = &mut output[i * d_v..][..d_v];
        result.fill(0.0);
        for (weight, value) in row.iter().zip(v.chunks_exact(d_v)) {
            result.iter_mut().zip(value).for_each(|(sum, x)| *sum += weight * x);
        }
    }
}

/// # Safety
/// The pointers are arrays of the shapes in attngrade.h; `weights` may be null.
#[no_mangle]
pub unsafe extern "C" fn attention(
    q: *const f64,
    k: *const f64,
    v: *const f64,
    shape: AttentionShape,
    output: *mut f64,
    weights: *mut f64,
) -> i32 {
    let matrices = (shape.batch * shape.heads) as usize;
    let (n_q, n_k) = (shape.n_q as usize, shape.n_k as usize);
    let (d_k, d_v) = (shape.d_k as usize, shape.d_v as usize);
    let mut own = vec![0.0; n_q * n_k];
    for b in 0..matrices {
        let matrix = |data: *const f64, size: usize| std::slice::from_raw_parts(data.add(b * size), size);
        let result = std::slice::from_raw_parts_mut(output.add(b * n_q * d_v), n_q * d_v);
        attend(matrix(q, n_q * d_k), matrix(k, n_k * d_k), matrix(v, n_k * d_v), d_k, d_v, result, &mut own);
        if !weights.is_null() {
            std::slice::from_raw_parts_mut(weights.add(b * n_q * n_k), n_q * n_k).copy_from_slice(&own);
        }
    }
    0
}
