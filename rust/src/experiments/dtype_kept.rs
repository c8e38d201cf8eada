//! Does a tensor of float64 stay one?

use burn::{prelude::*, tensor::DType};

use crate::support::{device, observe};

/// Puts a tensor of float64 through the variant's operation.
pub fn run(variant: &str) {
    let x = Tensor::<1>::from_data([180.0, 2.0], (&device(), DType::F64)).inner();

    match variant {
        "empty_slice" => observe("out", x.slice(1..1)),
        "one_hot" => observe("out", (x / 180.0).one_hot::<2>(3)),
        "pad" => observe("out", x.reshape([1, 2]).pad((1, 1, 0, 0), 0.0)),
        "deg2rad" => observe("out", x.deg2rad()),
        "sum" => observe("out", x.sum_dim(0)),
        "from_data" => observe("out", Tensor::<1>::from_data([0.1f64, 2.0], &device()).inner()),
        "added_to_float32" => observe("out", x + Tensor::<1>::ones([2], &device()).inner()),
        "mean_of_integers" => {
            let ints = Tensor::<1, Int>::from_data([-1, -2, -2], &device()).inner();
            observe("out", ints.mean_dim(0));
        }
        _ => unreachable!("variant {variant}"),
    }
}
