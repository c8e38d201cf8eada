//! What is said when shapes do not fit?

use burn::prelude::*;

use crate::support::{device, observe};

/// Computes with the variant's shapes, which no operation can take.
pub fn run(variant: &str) {
    let of = |shape: [usize; 2]| Tensor::<2>::ones(shape, &device());

    match variant {
        "add" => observe("out", of([2, 2]) + of([2, 3])),
        "matmul" => observe("out", of([2, 3]).matmul(of([2, 3]))),
        "reshape" => observe("out", of([2, 3]).reshape([4, 2])),
        "cat" => observe("out", Tensor::cat(vec![of([1, 2]), of([1, 3])], 0)),
        "into_scalar" => {
            let value: f32 = of([1, 2]).into_scalar();
            observe("value", value);
        }
        _ => unreachable!("variant {variant}"),
    }
}
