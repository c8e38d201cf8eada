//! What is the reduction of nothing?

use burn::{prelude::*, tensor::DType};

use crate::support::{device, observe};

/// Reduces an empty axis, or over no axes, the variant's way.
pub fn run(variant: &str) {
    let rows = Tensor::<2>::zeros([2, 0], &device()).inner();

    match variant {
        "sum" => observe("out", rows.sum_dim(1)),
        "prod" => observe("out", rows.prod_dim(1)),
        "mean_dim" => observe("out", rows.mean_dim(1)),
        "mean" => {
            let value: f32 = rows.mean().into_scalar();
            observe("value", value);
        }
        "max" => observe("out", rows.max_dim(1)),
        "argmax" => observe("indices", rows.argmax(1).cast(DType::I64)),
        "max_abs_over_no_axes" => {
            let x = Tensor::<2>::from_data([[-3.0, 2.0]], &device()).inner();
            observe("out", x.max_abs_dims::<usize>(&[]));
        }
        _ => unreachable!("variant {variant}"),
    }
}
