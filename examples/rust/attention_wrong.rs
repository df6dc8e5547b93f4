// SPDX-License-Identifier: MIT
// The fault: the scores are divided by d_k, not by its square root; attngrade
// calls it scale-by-dk. It never forms the weights; they are recovered.
//   rustc --crate-type cdylib -O attention_wrong.rs -o libattention_wrong.so
//   attngrade grade libattention_wrong.so

#[repr(C)]
#[derive(Clone, Copy)]
pub struct AttentionShape {
    batch: i64,
    heads: i64,
    n_q: i64,
    n_k: i64,
    d_k: i64,
    d_v: i64,
}

/// Online softmax: one pass over the keys for each query.
fn attend_query(query: &[f64], keys: &[f64], values: &[f64], result: &mut [f64]) {
    let (d_k, d_v) = (query.len(), result.len());
    let (mut largest, mut sum) = (f64::NEG_INFINITY, 0.0);
    result.fill(0.0);
    for (key, value) in keys.chunks_exact(d_k).zip(values.chunks_exact(d_v)) {
        let score = query.iter().zip(key).map(|(x, y)| x * y).sum::<f64>() / d_k as f64;
        let new_largest = score.max(largest);
        let (keep, weight) = ((largest - new_largest).exp(), (score - new_largest).exp());
        sum = sum * keep + weight;
        for (total, x) in result.iter_mut().zip(value) {
            *total = *total * keep + weight * x;
        }
        largest = new_largest;
    }
    result.iter_mut().for_each(|total| *total /= sum);
}

/// # Safety
/// The pointers are arrays of the shapes in attngrade.h.
#[no_mangle]
pub unsafe extern "C" fn attention(
    q: *const f64,
    k: *const f64,
    v: *const f64,
    s: AttentionShape,
    output: *mut f64,
    _weights: *mut f64,
) -> i32 {
    let (n_q, n_k) = (s.n_q as usize, s.n_k as usize);
    let (d_k, d_v) = (s.d_k as usize, s.d_v as usize);
    for row in 0..(s.batch * s.heads) as usize * n_q {
        let b = row / n_q;
        attend_query(
            std::slice::from_raw_parts(q.add(row * d_k), d_k),
            std::slice::from_raw_parts(k.add(b * n_k * d_k), n_k * d_k),
            std::slice::from_raw_parts(v.add(b * n_k * d_v), n_k * d_v),
            std::slice::from_raw_parts_mut(output.add(row * d_v), d_v),
        );
    }
    0
}
